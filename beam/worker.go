package rankbeam

import (
	"bufio"
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/simdrank/simdrank/beam/internal/remote"
	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/model"
)

func init() {
	register.DoFn4x1[context.Context, shard, func([]byte), func(int, []byte), error](&workFn{})
	register.DoFn3x1[int, func(*[]byte) bool, func([]byte), error](&sharedFn{})
	register.DoFn3x1[context.Context, int, func(*[]byte) bool, error](&collectFn{})
	register.Emitter1[[]byte]()
	register.Emitter2[int, []byte]()
	register.Iter1[[]byte]()
}

// A shard is a file of the data, and its place among them.
type shard struct {
	Index int
	Path  string
}

// pipeline returns the pipeline of a plan:
//
//	files ─ workFn ─┬─ parts ──────────────────────────┬─ collectFn ─ outcome
//	                └─ ids of queries ─ sharedFn ─ parts ┘
func pipeline(p *plan, names []string, outcome string) *beam.Pipeline {
	b, s := beam.NewPipelineWithRoot()
	shards := make([]shard, len(names))
	for i, name := range names {
		shards[i] = shard{i, name}
	}
	// Without the reshuffle a runner may have one worker read all files.
	files := beam.Reshuffle(s, beam.CreateList(s, shards))
	parts, ids := beam.ParDo2(s, &workFn{Plan: encode(p)}, files)
	shared := beam.ParDo(s, &sharedFn{Names: names}, beam.GroupByKey(s, ids))
	all := beam.Flatten(s, parts, shared)
	beam.ParDo0(s, &collectFn{Path: outcome}, beam.GroupByKey(s, beam.AddFixedKey(s, all)))
	return b
}

// workFn does the work of a pass on a file.
type workFn struct {
	Plan []byte

	plan    *plan
	systems []System
}

// Setup reads the plan and the models.
func (f *workFn) Setup(ctx context.Context) error {
	p, err := decode[plan](f.Plan)
	if err != nil {
		return err
	}
	f.plan, f.systems = &p, nil
	for i, name := range p.Systems {
		m, err := remote.Load(ctx, path(p.Dir, "model", i), model.Read)
		if err != nil {
			return fmt.Errorf("model of %s: %w", name, err)
		}
		f.systems = append(f.systems, System{name, m})
	}
	return nil
}

// attempts is how often the work on a file begins, when what is not the data's fault ends it: not
// every runner repeats what has failed.
const attempts = 3

// try makes attempts until one ends by itself. It returns as wrong what is wrong with the data, and
// as failure the end of ctx, or what has ended the last attempt.
func try(ctx context.Context, do func(attempt int) error) (wrong, failure error) {
	for attempt := 1; ; attempt++ {
		err := do(attempt)
		var failed *ioError
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !errors.As(err, &failed):
			return err, nil
		case attempt == attempts:
			return nil, err
		}
	}
}

// interrupt is called in tests with the pieces of an attempt that are done. An error of it ends the
// attempt.
var interrupt func(s shard, attempt, pieces int) error

// ProcessElement emits the part of a file, and by numbers of sharedFn the ids of its queries.
func (f *workFn) ProcessElement(ctx context.Context, s shard, emit func([]byte), emitIDs func(int, []byte)) error {
	var w *work
	wrong, err := try(ctx, func(attempt int) error {
		w = &work{plan: f.plan, systems: f.systems, shard: s, attempt: attempt, ids: map[int]*shardIDs{}}
		return w.do(ctx)
	})
	if err != nil {
		return err
	}
	if wrong != nil {
		w.part = part{Err: wireError(wrong)}
		w.ids = nil
	}
	w.part.Shard = s.Index
	for _, key := range slices.Sorted(maps.Keys(w.ids)) {
		b := encode(w.ids[key])
		w.part.IDBytes += len(b)
		emitIDs(key, b)
	}
	emit(encode(&w.part))
	return nil
}

// work is an attempt at a file.
type work struct {
	plan    *plan
	systems []System
	shard   shard
	attempt int

	part part
	ids  map[int]*shardIDs
	out  *bufio.Writer // of part.Output; nil without one
}

// A step is what a task does with each piece.
type step interface {
	piece(ctx context.Context, d *rank.Dataset) error
}

func (w *work) step() (step, error) {
	if w.plan.Task == describe {
		return (*description)(w), nil
	}
	if w.plan.Task == predict {
		return (*prediction)(w), nil
	}
	if w.plan.Task == findNotFinite {
		return (*finiteCheck)(w), nil
	}
	if w.plan.Task == numberRows {
		return (*numbering)(w), nil
	}
	e, err := newEvaluator(w.plan.Metrics, w.plan.Options)
	if err != nil {
		return nil, err
	}
	if w.plan.Task == evaluate {
		w.part.Means = make([]num.ExactMean, len(e.Metrics()))
	}
	return &evaluation{w, e, gob.NewEncoder(w.out)}, nil
}

// A numbering counts rows, as all tasks do, and columns.
type numbering work

func (w *numbering) piece(_ context.Context, d *rank.Dataset) error {
	w.part.Cols, w.part.Names = max(w.part.Cols, d.Cols), d.Names
	return nil
}

// do goes through the file. Its errors are an *ioError or about the data.
func (w *work) do(ctx context.Context) (err error) {
	defer memory.Begin().End(&err)
	if w.plan.Output != "" {
		w.part.Output = fmt.Sprintf("%s-%05d-%08x", w.plan.Output, w.shard.Index, rand.Uint32())
		system, failure := filesystem.New(ctx, w.part.Output)
		if failure != nil {
			return &ioError{failure}
		}
		defer system.Close()
		file, failure := system.OpenWrite(ctx, w.part.Output)
		if failure != nil {
			return &ioError{cli.FileError(w.plan.Target, failure)}
		}
		w.out = bufio.NewWriterSize(file, 1<<20)
		defer func() { err = w.closeOutput(file, err) }()
	}
	if w.plan.Task == prepareSVM {
		return (*svmPreparation)(w).do(ctx)
	}
	step, err := w.step()
	if err != nil {
		return err
	}
	for d, err := range w.pieces(ctx) {
		if err != nil {
			return err
		}
		if err := step.piece(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// pieces returns the pieces of the file, and notes what they hold.
func (w *work) pieces(ctx context.Context) iter.Seq2[*rank.Dataset, error] {
	pieces := 0
	note := func(d *rank.Dataset) error {
		if interrupt != nil {
			if err := interrupt(w.shard, w.attempt, pieces); err != nil {
				return &ioError{err}
			}
		}
		if err := ctx.Err(); err != nil { // not every piece is read through ctx
			return err
		}
		pieces++
		here := size{Rows: d.Rows(), Cols: d.Cols, Absent: d.Absent}
		if w.plan.Task != predict {
			here.Queries = d.Queries()
			w.noteIDs(d)
		}
		w.part.Size.add(here)
		return nil
	}
	data := w.plan.Data.data()
	data.unlabeled = w.plan.Task == describe
	return func(yield func(*rank.Dataset, error) bool) {
		for d, err := range data.pieces(ctx, w.shard.Path, w.plan.Task == predict) {
			if err == nil {
				err = note(d)
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// closeOutput ends the output and returns what has ended the work: a failure to write stands behind
// what comes of it.
func (w *work) closeOutput(file io.Closer, err error) error {
	failure := cmp.Or(w.out.Flush(), file.Close())
	if failure != nil {
		return &ioError{cli.FileError(w.plan.Target, failure)}
	}
	return err
}

// shardIDs are queries of a file, and the lines where they begin.
type shardIDs struct {
	Shard int
	IDs   []string
	Lines []int
}

// groups is how many parts of the ids of queries can be checked apart from each other.
const groups = 64

func (w *work) noteIDs(d *rank.Dataset) {
	for q, id := range d.QueryIDs {
		key := int(crc32.ChecksumIEEE([]byte(id)) % groups)
		to := w.ids[key]
		if to == nil {
			to = &shardIDs{Shard: w.shard.Index}
			w.ids[key] = to
		}
		to.IDs, to.Lines = append(to.IDs, id), append(to.Lines, d.Line(d.Offsets[q]))
	}
}

// sharedFn finds queries that stand in more than one file.
type sharedFn struct{ Names []string }

// ProcessElement emits the first such query of each file.
func (f *sharedFn) ProcessElement(_ int, next func(*[]byte) bool, emit func([]byte)) error {
	var lists []shardIDs
	for b := []byte(nil); next(&b); {
		ids, err := decode[shardIDs](b)
		if err != nil {
			return err
		}
		lists = append(lists, ids)
	}
	slices.SortFunc(lists, func(a, b shardIDs) int { return a.Shard - b.Shard })
	type place struct{ shard, line int }
	known := map[string]place{}
	for _, l := range lists {
		var first *part
		for q, id := range l.IDs {
			line := l.Lines[q]
			if at, found := known[id]; found && first == nil {
				err := fmt.Errorf("query begins at %s:%d: want all of its rows in one file", f.Names[at.shard], at.line)
				place := &rank.ParseError{File: f.Names[l.Shard], Line: line, Text: id, Err: err}
				first = &part{Shard: l.Shard, Shared: line, Err: wireError(place)}
			} else if !found {
				known[id] = place{l.Shard, line}
			}
		}
		if first != nil {
			emit(encode(first))
		}
	}
	return nil
}

// collectFn writes all parts to a file.
type collectFn struct{ Path string }

// ProcessElement gets them all.
func (f *collectFn) ProcessElement(ctx context.Context, _ int, next func(*[]byte) bool) error {
	var list [][]byte
	for b := []byte(nil); next(&b); b = nil {
		list = append(list, b)
	}
	return remote.Save(ctx, f.Path, encode(list))
}

// scores returns the scores that a system gives the rows of d.
func (w *work) scores(ctx context.Context, s System, d *rank.Dataset) ([]float64, error) {
	to := model.Alignment{Data: w.shard.Path, Model: s.Name, IgnoreExtraFeatures: w.plan.IgnoreExtraFeatures}
	d, err := to.ToModel(d, s.Model)
	if err != nil {
		return nil, err
	}
	scores := make([]float64, d.Rows())
	if err := s.Model.ScoreInto(ctx, scores, d); err != nil {
		return nil, cli.FileError(w.shard.Path, err)
	}
	return scores, nil
}
