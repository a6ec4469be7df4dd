package rankbeam

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/simdrank/simdrank/beam/internal/remote"
	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/datafile"
)

func init() {
	register.DoFn3x1[context.Context, stateShard, func([]byte), error](&taskFn{})
}

// A state is what a training keeps from pass to pass, in a folder that its workers share.
type state struct {
	job    *Job
	dir    string
	id     string
	names  int // of files of a pass, so far
	passes []Pass
}

// newState makes the folder.
func (j *Job) newState() (*state, error) {
	id := fmt.Sprintf("simdrank-%016x", rand.Uint64())
	s := &state{job: j, dir: strings.TrimSuffix(j.WorkDir, "/") + "/" + id, id: id}
	if j.StateDir != "" {
		s.dir = strings.TrimSuffix(j.StateDir, "/")
	}
	var err error
	switch {
	case j.WorkDir == "" && j.StateDir == "":
		s.dir, err = os.MkdirTemp("", id)
	case !remoteName(s.dir):
		err = os.MkdirAll(s.dir, 0o777)
	}
	return s, err
}

// remoteName reports whether a name is one of another file system than this machine's.
func remoteName(name string) bool { return strings.Contains(name, "://") }

// remove removes the folder and what it holds, or what is there for this training alone.
func (s *state) remove() error {
	switch {
	case s.job.StateDir != "":
		return removeAll(quote(s.dir+"/"+s.id) + "-*")
	case s.job.WorkDir == "":
		return os.RemoveAll(s.dir)
	}
	return cmp.Or(removeAll(quote(s.dir)+"/*"), removeAll(quote(s.dir)))
}

// newName returns the start of the name of files that this training alone uses.
func (s *state) newName(what string) string {
	s.names++
	return fmt.Sprintf("%s/%s-%s-%d", s.dir, s.id, what, s.names)
}

// stamp tells files and their versions from others.
func stamp(ctx context.Context, names []string) (string, error) {
	var b strings.Builder
	for _, name := range names {
		system, err := filesystem.New(ctx, name)
		if err != nil {
			return "", err
		}
		size, err := system.Size(ctx, name)
		fmt.Fprintf(&b, "%q %d", name, size)
		if dated, ok := system.(filesystem.LastModifiedGetter); ok && err == nil {
			var modified time.Time
			modified, err = dated.LastModified(ctx, name)
			fmt.Fprintf(&b, " %d", modified.UnixNano())
		}
		system.Close()
		if err != nil {
			return "", cli.FileError(name, err)
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// A stateShard is an element of a pass: a shard, and what the workers are told of it alone.
type stateShard struct {
	Index int
	Plan  []byte
}

// A task is what workers do with a shard in a pass: plan is what all are told. What it returns is
// sent back. Its errors are an *ioError, after which it is tried again, or about the data.
var tasks = map[string]func(ctx context.Context, plan, shard []byte) (any, error){}

// taskOf returns a task with the plan and the shard that it decodes.
func taskOf[P, S any](do func(ctx context.Context, plan P, shard S) (any, error)) func(ctx context.Context,
	plan, shard []byte) (any, error) {
	return func(ctx context.Context, plan, shard []byte) (any, error) {
		p, err := decode[P](plan)
		if err != nil {
			return nil, err
		}
		s, err := decode[S](shard)
		if err != nil {
			return nil, err
		}
		return do(ctx, p, s)
	}
}

// An outcome is what came of a shard.
type outcome struct {
	Shard  int
	Result []byte
	Err    *dataError
}

// pass has workers do a task with shards, and gives the results to each in the order of the shards.
// What it took is to be completed by the number of rows, and noted.
func (s *state) pass(ctx context.Context, task string, plan any, shards []stateShard,
	each func(shard int, result []byte) error) (done Pass, err error) {
	begin := time.Now()
	told, out := s.newName("plan"), s.newName("outcome")
	defer func() { removeAll(quote(told)); removeAll(quote(out)) }() // the folder is removed at last
	if err := remote.Save(ctx, told, encode(plan)); err != nil {
		return done, err
	}
	b, root := beam.NewPipelineWithRoot()
	elements := beam.Reshuffle(root, beam.CreateList(root, shards))
	results := beam.ParDo(root, &taskFn{Task: task, Plan: told}, elements)
	beam.ParDo0(root, &collectFn{Path: out}, beam.GroupByKey(root, beam.AddFixedKey(root, results)))
	if err := s.job.run(ctx, b); err != nil {
		return done, err
	}
	list, size, err := readOutcome(ctx, out)
	if err != nil {
		return done, err
	}
	byShard := map[int]outcome{}
	for _, b := range list {
		o, err := decode[outcome](b)
		if err != nil {
			return done, fmt.Errorf("%s: %w", out, err)
		}
		byShard[o.Shard] = o
	}
	for _, e := range shards {
		o, found := byShard[e.Index]
		if !found {
			return done, fmt.Errorf("%d shards, but results of %d", len(shards), len(byShard))
		}
		if o.Err != nil {
			return done, o.Err
		}
		if err := each(e.Index, o.Result); err != nil {
			return done, err
		}
	}
	return Pass{Files: len(shards), Bytes: size, Seconds: time.Since(begin).Seconds()}, nil
}

// note reports a pass, of which the number of rows is known by now.
func (s *state) note(name string, p Pass) {
	p.Name, p.Speed = name, float64(p.Rows)/p.Seconds
	s.passes = append(s.passes, p)
	if s.job.Progress != nil {
		s.job.Progress(p)
	}
}

// total returns the cost of all passes. The caller adds the sizes of the data.
func (s *state) total() *Pass {
	all, rows := &Pass{Passes: s.passes}, 0
	for _, p := range s.passes {
		all.Bytes, all.Seconds = all.Bytes+p.Bytes, all.Seconds+p.Seconds
		rows += p.Rows
	}
	all.Speed = float64(rows) / all.Seconds
	return all
}

// run runs a pipeline.
func (j *Job) run(ctx context.Context, p *beam.Pipeline) error {
	run := j.Run
	if run == nil {
		run = beamx.Run
	}
	if err := run(ctx, p); err != nil {
		return cmp.Or(ctx.Err(), runnerError(err))
	}
	return ctx.Err()
}

// taskFn does a task with shards.
type taskFn struct {
	Task string
	Plan string // the name of a file

	plan []byte
}

// Setup reads the plan.
func (f *taskFn) Setup(ctx context.Context) (err error) {
	f.plan, err = remote.Load(ctx, f.Plan, io.ReadAll)
	return err
}

// ProcessElement emits the outcome of a shard.
func (f *taskFn) ProcessElement(ctx context.Context, s stateShard, emit func([]byte)) error {
	var result any
	wrong, err := try(ctx, func(attempt int) (err error) {
		result, err = f.do(ctx, s, attempt)
		return err
	})
	switch {
	case err != nil:
		return err
	case wrong != nil:
		emit(encode(outcome{Shard: s.Index, Err: wireError(wrong)}))
	default:
		emit(encode(outcome{Shard: s.Index, Result: encode(result)}))
	}
	return nil
}

// do is an attempt.
func (f *taskFn) do(ctx context.Context, s stateShard, attempt int) (result any, err error) {
	defer memory.Begin().End(&err)
	for pieces := range 2 { // before and after
		if interrupt != nil {
			if err := interrupt(shard{s.Index, f.Task}, attempt, pieces); err != nil {
				return nil, &ioError{err}
			}
		}
		if pieces == 0 {
			if result, err = tasks[f.Task](ctx, f.plan, s.Plan); err != nil {
				return nil, err
			}
		}
	}
	return result, nil
}

// openKept is openData of rows that a training keeps. Any error is an *ioError.
func openKept(ctx context.Context, name string) (d *rank.Dataset, done func(), err error) {
	if d, done, err = openData(ctx, name); err != nil {
		return nil, nil, &ioError{err}
	}
	return d, done, nil
}

// saveData writes pieces to a data file in any file system.
func saveData(ctx context.Context, name string, pieces iter.Seq2[*rank.Dataset, error]) error {
	if !remoteName(name) {
		return datafile.SavePieces(name, pieces)
	}
	dir, err := os.MkdirTemp("", "simdrank-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	local := dir + "/data.simdrank"
	if err := datafile.SavePieces(local, pieces); err != nil {
		return err
	}
	f, err := os.Open(local)
	if err != nil {
		return err
	}
	defer f.Close()
	return remote.Create(ctx, name, func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	})
}
