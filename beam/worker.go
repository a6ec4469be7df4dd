package rankbeam

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/simdrank/simdrank/beam/internal/remote"
	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

func init() {
	register.DoFn4x1[context.Context, element, func([]byte), func(int, []byte), error](&taskFn{})
	register.DoFn3x1[int, func(*[]byte) bool, func([]byte), error](&sharedFn{})
	register.DoFn3x1[context.Context, int, func(*[]byte) bool, error](&collectFn{})
	register.Emitter1[[]byte]()
	register.Emitter2[int, []byte]()
	register.Iter1[[]byte]()
}

// A task is the work on a shard in a pass.
type task struct {
	begin   func(plan []byte) (work, error) // decodes the plan, which all shards share
	ofFiles bool                            // a shard is a data file; no query may be in two files
}

// work makes an attempt at a shard. The result is sent back. The error is an *ioError, after which
// the shard is tried again, or an error about the data.
type work func(ctx context.Context, a *attempt, shard []byte) (any, error)

var tasks = map[string]task{}

// taskOf returns a task with the plan and the shard that it decodes.
func taskOf[P, S any](do func(ctx context.Context, a *attempt, plan *P, shard S) (any, error)) task {
	return task{begin: func(plan []byte) (work, error) {
		p, err := decode[P](plan)
		return func(ctx context.Context, a *attempt, shard []byte) (any, error) {
			s, err := decode[S](shard)
			if err != nil {
				return nil, err
			}
			return do(ctx, a, &p, s)
		}, err
	}}
}

// fileTaskOf returns a task with the files of the data.
func fileTaskOf[P any](do func(ctx context.Context, a *attempt, plan *P, f file) (any, error)) task {
	t := taskOf(do)
	t.ofFiles = true
	return t
}

// An element of a pass is a gob-encoded shard and its number.
type element struct {
	Index int
	Shard []byte
}

// An outcome is the result of a shard.
type outcome struct {
	Index   int
	Result  []byte
	Size    size // of the rows that were read
	IDBytes int  // size of the query IDs that were sent
	Err     *dataError

	// Shared is the line of the first query of the file that is also in an earlier file. Err
	// describes it, and only Index is also set.
	Shared int
}

// A size contains the numbers of queries, rows and columns. Absent counts columns that a row omits
// because only other rows have them.
type size struct {
	Queries, Rows, Cols int
	Absent              int64
}

// add adds other rows.
func (s *size) add(t size) {
	cols := max(s.Cols, t.Cols)
	s.Absent += t.Absent + int64(s.Rows)*int64(cols-s.Cols) + int64(t.Rows)*int64(cols-t.Cols)
	s.Queries, s.Rows, s.Cols = s.Queries+t.Queries, s.Rows+t.Rows, cols
}

// taskFn performs a task with shards.
type taskFn struct {
	Task string
	Plan string // the name of a file

	do work
}

// Setup reads the plan.
func (f *taskFn) Setup(ctx context.Context) error {
	plan, err := remote.ReadAll(ctx, f.Plan)
	if err != nil {
		return fmt.Errorf("a worker cannot read its plan: %w; "+
			"workers on other machines require a folder that they share with the program", err)
	}
	f.do, err = tasks[f.Task].begin(plan)
	return err
}

// ProcessElement emits the outcome of a shard, and its query IDs by part number for sharedFn.
func (f *taskFn) ProcessElement(ctx context.Context, e element, emit func([]byte), emitIDs func(int, []byte)) error {
	o := outcome{Index: e.Index}
	var a *attempt
	wrong, err := try(ctx, func(number int) error {
		a = &attempt{task: f.Task, shard: e.Index, number: number, ids: map[int]*shardIDs{}}
		result, err := a.do(ctx, f.do, e.Shard)
		if err == nil {
			o.Result = encode(result)
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case wrong != nil:
		o.Err = wireError(wrong)
	default:
		o.Size = a.size
		for _, key := range slices.Sorted(maps.Keys(a.ids)) {
			b := encode(a.ids[key])
			o.IDBytes += len(b)
			emitIDs(key, b)
		}
	}
	emit(encode(o))
	return nil
}

// attempts is the maximum number of attempts at a shard if failures are not caused by the data. Not
// every runner repeats failed work.
const attempts = 3

// try makes attempts until one ends by itself. wrong is an error about the data. failure is the
// error of ctx, or the error of the last attempt.
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

// An attempt is an attempt at a task with a shard. It summarizes the rows that it has read.
type attempt struct {
	task          string
	shard, number int
	steps         int
	size          size
	ids           map[int]*shardIDs
}

// interrupt is called in tests with the number of steps of an attempt. If it returns an error, the
// attempt ends.
var interrupt func(task string, shard, attempt, steps int) error

// step is called before the work, after each chunk of a file, and after the work.
func (a *attempt) step(ctx context.Context) error {
	if interrupt != nil {
		if err := interrupt(a.task, a.shard, a.number, a.steps); err != nil {
			return &ioError{err}
		}
	}
	a.steps++
	return ctx.Err() // not every chunk is read through ctx
}

// do performs the work. Its error is an *ioError or an error about the data.
func (a *attempt) do(ctx context.Context, do work, shard []byte) (result any, err error) {
	defer memory.Begin().End(&err)
	if err := a.step(ctx); err != nil {
		return nil, err
	}
	if result, err = do(ctx, a, shard); err != nil {
		return nil, err
	}
	return result, a.step(ctx)
}

// pieces reads a file in chunks of whole queries.
func (a *attempt) pieces(ctx context.Context, f *file, o data.Options) iter.Seq2[*rank.Dataset, error] {
	return func(yield func(*rank.Dataset, error) bool) {
		s, err := open(ctx, f.Path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer s.Close()
		for d, err := range a.piecesOf(ctx, s, o) {
			if !yield(d, err) {
				return
			}
		}
	}
}

// piecesOf reads an open file in chunks. If the task is a task with files, it notes the contents of
// the chunks.
func (a *attempt) piecesOf(ctx context.Context, s *source, o data.Options) iter.Seq2[*rank.Dataset, error] {
	return func(yield func(*rank.Dataset, error) bool) {
		for d, err := range s.pieces(o) {
			if err == nil {
				err = a.step(ctx)
			}
			if err == nil && tasks[a.task].ofFiles {
				a.note(d, !o.NoQueries)
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// shardIDs are the queries of a file and the lines at which they start.
type shardIDs struct {
	Shard int
	Path  string
	IDs   []string
	Lines []int
}

// groups is the number of parts of the query IDs that are checked independently.
const groups = 64

// note adds rows to the summary of read rows.
func (a *attempt) note(d *rank.Dataset, queries bool) {
	here := size{Rows: d.Rows(), Cols: d.Cols, Absent: d.Absent}
	if queries {
		here.Queries = d.Queries()
		for q, id := range d.QueryIDs {
			key := int(crc32.ChecksumIEEE([]byte(id)) % groups)
			to := a.ids[key]
			if to == nil {
				to = &shardIDs{Shard: a.shard, Path: d.File}
				a.ids[key] = to
			}
			to.IDs, to.Lines = append(to.IDs, id), append(to.Lines, d.Line(d.Offsets[q]))
		}
	}
	a.size.add(here)
}

// sharedFn finds queries that are in more than one file.
type sharedFn struct{}

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
	type place struct {
		path string
		line int
	}
	known := map[string]place{}
	for _, l := range lists {
		var first *outcome
		for q, id := range l.IDs {
			line := l.Lines[q]
			if at, found := known[id]; found && first == nil {
				err := fmt.Errorf("the query also has rows at %s:%d; all rows of a query must be in one file", at.path, at.line)
				place := &rank.ParseError{File: l.Path, Line: line, Text: id, Err: err}
				first = &outcome{Index: l.Shard, Shared: line, Err: wireError(place)}
			} else if !found {
				known[id] = place{l.Path, line}
			}
		}
		if first != nil {
			emit(encode(first))
		}
	}
	return nil
}

// collectFn writes all outcomes to a file.
type collectFn struct{ Path string }

// ProcessElement receives all outcomes.
func (f *collectFn) ProcessElement(ctx context.Context, _ int, next func(*[]byte) bool) error {
	var list [][]byte
	for b := []byte(nil); next(&b); b = nil {
		list = append(list, b)
	}
	return remote.Save(ctx, f.Path, encode(list))
}

// An output is a file that a worker writes.
type output struct {
	name   string
	target string // its name in errors
	bytes  int64
	system filesystem.Interface
	file   io.WriteCloser
	w      *bufio.Writer
	buf    []byte
}

// create creates a file with a name that starts with the given prefix. Each attempt writes its own
// file. Errors call it target, unless target is "".
func (a *attempt) create(ctx context.Context, prefix, target string) (*output, error) {
	o := &output{name: fmt.Sprintf("%s-%05d-%016x", prefix, a.shard, rand.Uint64())}
	o.target = cmp.Or(target, o.name)
	var err error
	if o.system, err = filesystem.New(ctx, o.name); err != nil {
		return nil, &ioError{err}
	}
	if o.file, err = o.system.OpenWrite(ctx, o.name); err != nil {
		o.system.Close()
		return nil, &ioError{cli.FileError(o.target, err)}
	}
	o.w = bufio.NewWriterSize(o.file, 1<<16)
	return o, nil
}

// Write appends bytes. Its error is returned again at the end.
func (o *output) Write(b []byte) (int, error) {
	o.bytes += int64(len(b))
	return o.w.Write(b)
}

// write appends numbers.
func (o *output) write(list any) {
	var err error
	if o.buf, err = binary.Append(o.buf[:0], binary.LittleEndian, list); err != nil {
		panic(err) // of data that is not a list of numbers
	}
	o.Write(o.buf)
}

// record appends lists of numbers for [input.record]: their sizes in bytes, and then each list,
// padded to 8 bytes.
func (o *output) record(lists ...any) {
	for _, l := range lists {
		o.write(uint64(binary.Size(l)))
	}
	for _, l := range lists {
		o.write(l)
		o.Write(make([]byte, -binary.Size(l)&7))
	}
}

// close closes the file. It returns the error that has ended the work. If writing has failed, it
// returns the write error instead.
func (o *output) close(err error) error {
	defer o.system.Close()
	if failure := cmp.Or(o.w.Flush(), o.file.Close()); failure != nil {
		return &ioError{cli.FileError(o.target, failure)}
	}
	return err
}
