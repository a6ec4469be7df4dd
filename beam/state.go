package rankbeam

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/simdrank/simdrank/beam/internal/remote"
	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/datafile"
)

// A state is the data that a call of a [Job] keeps between passes, in a folder that its workers
// share.
type state struct {
	job    *Job
	dir    string
	kept   bool   // dir remains after the call
	id     string // of the call
	names  int    // of files of a pass, so far
	passes []Pass
}

// newState creates the folder: kept or, if kept is "", a temporary one.
func (j *Job) newState(kept string) (*state, error) {
	id := fmt.Sprintf("simdrank-%016x", rand.Uint64())
	s := &state{job: j, dir: strings.TrimSuffix(j.WorkDir, "/") + "/" + id, kept: kept != "", id: id}
	if s.kept {
		s.dir = strings.TrimSuffix(kept, "/")
	}
	var err error
	switch {
	case j.WorkDir == "" && !s.kept:
		s.dir, err = os.MkdirTemp("", id)
	case !remoteName(s.dir):
		err = os.MkdirAll(s.dir, 0o777)
	}
	return s, err
}

// remoteName reports whether a name is in a remote file system.
func remoteName(name string) bool { return strings.Contains(name, "://") }

// remove removes the folder with its contents, or only the files of this call.
func (s *state) remove() error {
	switch {
	case s.kept:
		return removeAll(quote(s.dir+"/"+s.id) + "-*")
	case s.job.WorkDir == "":
		return os.RemoveAll(s.dir)
	}
	return cmp.Or(removeAll(quote(s.dir)+"/*"), removeAll(quote(s.dir)))
}

// newName returns a prefix for the names of files that only this call uses.
func (s *state) newName(what string) string {
	s.names++
	return fmt.Sprintf("%s/%s-%s-%d", s.dir, s.id, what, s.names)
}

// stamp identifies files and their versions.
func stamp(ctx context.Context, names ...string) (string, error) {
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

// run lets workers perform a task with shards and returns the result of each. note or end must
// complete the cost.
//
//	shards ─ taskFn ─┬─ outcomes ─────────────────────────┬─ collectFn ─ file
//	                 └─ ids of queries ─ sharedFn ─ outcomes ┘
//
// Only tasks with files have the lower branch.
func run[R, S any](ctx context.Context, s *state, task string, plan any, shards []S) (results []R, done *Pass,
	err error) {
	done = &Pass{Files: len(shards), begin: time.Now()}
	told, out := s.newName("plan"), s.newName("outcome")
	defer func() { removeAll(quote(told)); removeAll(quote(out)) }() // the folder is removed at the end
	if err := remote.Save(ctx, told, encode(plan)); err != nil {
		return nil, nil, err
	}
	list := make([]element, len(shards))
	for i, shard := range shards {
		list[i] = element{i, encode(shard)}
	}
	b, root := beam.NewPipelineWithRoot()
	// Without the reshuffle, a runner may let one worker read all files.
	elements := beam.Reshuffle(root, beam.CreateList(root, list))
	outcomes, ids := beam.ParDo2(root, &taskFn{Task: task, Plan: told}, elements)
	if tasks[task].ofFiles {
		outcomes = beam.Flatten(root, outcomes, beam.ParDo(root, &sharedFn{}, beam.GroupByKey(root, ids)))
	}
	beam.ParDo0(root, &collectFn{Path: out}, beam.GroupByKey(root, beam.AddFixedKey(root, outcomes)))
	if err := s.job.run(ctx, b); err != nil {
		return nil, nil, err
	}
	all, err := readOutcomes(ctx, out, len(shards), done)
	if err != nil {
		return nil, nil, err
	}
	results = make([]R, len(all))
	for i, o := range all {
		if o.Err != nil {
			return nil, nil, o.Err
		}
		if results[i], err = decode[R](o.Result); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", out, err)
		}
	}
	return results, done, nil
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

// runnerError extracts the error of a worker from the error text of a runner.
func runnerError(err error) error {
	text := err.Error()
	if i := strings.LastIndex(text, " failed:\n"); i >= 0 {
		return errors.New(strings.TrimSpace(text[i+len(" failed:\n"):]))
	}
	return err
}

// readOutcomes reads the file of a collectFn, and returns the outcome of each of n shards.
func readOutcomes(ctx context.Context, name string, n int, done *Pass) ([]outcome, error) {
	b, err := remote.ReadAll(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("cannot read the results of the workers: %w; "+
			"workers on other machines require a folder that they share with this machine", err)
	}
	list, err := decode[[][]byte](b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	done.Bytes = int64(len(b))
	outcomes, found := make([]outcome, n), 0
	var rows size
	var shared []outcome
	for _, b := range list {
		o, err := decode[outcome](b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if o.Shared > 0 {
			shared = append(shared, o)
			continue
		}
		outcomes[o.Index] = o
		found++
		rows.add(o.Size)
		done.Bytes += int64(o.IDBytes)
	}
	for _, o := range shared { // for files without another error
		if to := &outcomes[o.Index]; to.Err == nil || to.Shared > o.Shared {
			to.Err, to.Shared = o.Err, o.Shared
		}
	}
	if found != n {
		return nil, fmt.Errorf("the workers returned only %[2]d results for %[1]d shards", n, found)
	}
	done.Queries, done.Rows, done.Cols, done.Absent = rows.Queries, rows.Rows, rows.Cols, rows.Absent
	return outcomes, nil
}

// end completes the cost of a pass after its results are merged.
func (p *Pass) end() *Pass {
	p.Seconds = time.Since(p.begin).Seconds()
	p.Speed = float64(p.Rows) / p.Seconds
	return p
}

// note reports a pass that has ended.
func (s *state) note(name string, p *Pass) {
	p.Name = name
	s.passes = append(s.passes, *p.end())
	if s.job.OnPass != nil {
		s.job.OnPass(*p)
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

// openKept is like openData but for rows that a training keeps. Any error is an *ioError.
func openKept(ctx context.Context, name string) (d *rank.Dataset, done func(), err error) {
	if d, done, err = openData(ctx, name); err != nil {
		return nil, nil, &ioError{err}
	}
	return d, done, nil
}

// saveData writes chunks to a data file in any file system.
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
