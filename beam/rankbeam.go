// Package rankbeam scores, measures and trains on data that outgrow a machine, on Apache Beam: with
// the results of one machine to the bit, on any number of shards and workers.
//
// The files of the data are the elements of a pipeline. A worker goes through a file in pieces of
// whole queries, so that it holds a piece and not the file, and no row leaves it, but for the
// sample that trees are binned by: what travels are sums, counts and the ids of queries. Sums are
// exact, so that neither the order of the files matters nor how the rows are dealt to them. Scores
// and values of queries are written by the workers, a file for each file of the data.
//
// Data that are wrong are no failure of a worker, which a runner would repeat: they are a result,
// and the first error, in the order of the files, is the one that is returned. What a failing file
// system or worker interrupts is done again, from the start of the file.
package rankbeam

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/simdrank/simdrank/beam/internal/remote"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/model"
)

// A Job says where the data are, how they are measured, and how pipelines run. beam.Init must have
// been called.
type Job struct {
	Data Data

	// Valid are validation data, by which a training chooses C or the number of trees; nil: none.
	Valid *Data

	// Metrics and Policies are as for [rank.Evaluate]. "" means ndcg@10. A training chooses by the
	// first metric.
	Metrics  string
	Policies []rank.Option

	// WorkDir is a folder in a file system of Beam where the program and its workers exchange
	// models and results. "" is one of this machine, for workers that run on it.
	WorkDir string

	// StateDir is a folder like WorkDir where a training keeps what it has read. It is not removed,
	// and a training on the same files goes on from it. "" is a folder in WorkDir that is removed.
	StateDir string

	// Run runs a pipeline and waits for its end. nil is beamx.Run, for which the flag --runner
	// chooses the runner, prism by default.
	Run func(context.Context, *beam.Pipeline) error

	// IgnoreExtraFeatures scores without the features that a model does not have, which are an
	// error otherwise.
	IgnoreExtraFeatures bool

	// Settle is called by a training when the columns are known, unless it is nil, to set options
	// that depend on them; an error ends the training. names are nil if the columns have none.
	Settle func(cols int, names []string) error

	// Progress is called after every pass of a training, unless it is nil.
	Progress func(Pass)
}

// A System is a model under its name.
type System struct {
	Name  string
	Model rank.Model
}

// A Pass reports the cost of one pass over the data, or of a training. A training makes many
// passes; its Bytes, Seconds and Speed count all of them.
type Pass struct {
	Name    string  `json:"name,omitempty"` // of a pass of a training
	Files   int     `json:"files"`
	Queries int     `json:"queries"` // 0 when data were read to be scored
	Rows    int     `json:"rows"`
	Cols    int     `json:"features"`      // of the widest row
	Absent  int64   `json:"absent"`        // features that rows leave out
	Bytes   int64   `json:"bytes_shipped"` // by workers: results, and ids of queries; never rows
	Seconds float64 `json:"seconds"`
	Speed   float64 `json:"rows_per_second"`
	Passes  []Pass  `json:"passes,omitempty"` // of a training
}

// A plan is what workers are told. Fields that a task does not use are empty.
type plan struct {
	Task                task
	Data                sentData
	Systems             []string // names of the models; that of i is at path(dir, "model", i)
	Dir                 string
	Output              string // the prefix of output files before they get their names
	Target              string // what errors call them
	IgnoreExtraFeatures bool
	Metrics             string
	Options             []rank.Option
	State               string // the folder of a training
	Pairs               string // as in SVMOptions
}

// A task is what a pass does.
type task uint8

const (
	predict task = iota
	evaluate
	compareSystems
	describe
	prepareSVM
	findNotFinite
	numberRows
)

// A part is what comes of a file.
type part struct {
	Shard   int
	Size    size
	IDBytes int // of the ids that were sent on

	Output string          // the file that was written
	Means  []num.ExactMean // of each metric; none when systems are compared
	DocIDs bool            // whether rows have ids
	About  about
	SVM    svmPart
	Cols   int      // when rows are numbered
	Names  []string // of columns, nil where they have none; when rows are numbered
	Err    *dataError

	// Shared is the line of the first query of the file that also stands in a file before it, which
	// Err says. Nothing else is set then.
	Shared int
}

// A size is how many rows there are of what. Rows leave out the columns that only others have.
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

// A dataError is what is wrong with the data, in the form that reaches the driver: Err is an error
// with fields that gob can write, or the text of another.
type dataError struct{ Err error }

// Error returns what is wrong, beginning with the file.
func (e *dataError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *dataError) Unwrap() error { return e.Err }

// A plainError is the text of an error.
type plainError string

func (e plainError) Error() string { return string(e) }

// wireError returns an error in the form that reaches the driver.
func wireError(err error) *dataError { return &dataError{wireFields(err)} }

func wireFields(err error) error {
	switch e := err.(type) {
	case *dataError:
		return e.Err
	case *errs.Error:
		return &errs.Error{Op: e.Op, At: e.At, Err: wireFields(e.Err)}
	case *rank.ParseError:
		return &rank.ParseError{File: e.File, Line: e.Line, Column: e.Column, Text: e.Text, Err: wireFields(e.Err)}
	case *rank.OptionError:
		if e.Option == "GatherQueries" || e.Option == "Groups" { // a Job has neither
			return wireFields(e.Err)
		}
		return &rank.OptionError{Option: e.Option, Value: e.Value, Err: wireFields(e.Err)}
	}
	return plainError(err.Error())
}

func init() {
	for _, err := range []error{&errs.Error{}, &rank.ParseError{}, &rank.OptionError{}, plainError("")} {
		gob.Register(err)
	}
	for _, option := range []rank.Option{rank.Gain(0), rank.GainTable(nil), rank.Discount(0), rank.Ties(0),
		rank.Empty(0), rank.Switch(0), rank.MaxLabel(0), rank.Preset(0)} {
		gob.Register(option)
	}
}

// encode returns v as gob has it.
func encode(v any) []byte {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		panic(err) // a buffer takes all, and our types have nothing that gob refuses
	}
	return b.Bytes()
}

func decode[T any](b []byte) (v T, err error) {
	err = gob.NewDecoder(bytes.NewReader(b)).Decode(&v)
	return v, err
}

func path(dir, name string, i int) string { return fmt.Sprintf("%s/%s-%d", dir, name, i) }

// pass runs the pipeline of a plan. commit gets what came of each file, in the order of the files,
// unless one is an error; the files that workers wrote are gone when it returns.
func (j *Job) pass(ctx context.Context, p *plan, systems []System, commit func(parts []part) error) (
	_ *Pass, err error) {
	begin := time.Now()
	names, err := j.Data.files(ctx)
	if err != nil {
		return nil, err
	}
	id := fmt.Sprintf("simdrank-%016x", rand.Uint64())
	if j.WorkDir == "" {
		if p.Dir, err = os.MkdirTemp("", id); err != nil {
			return nil, err
		}
		defer os.RemoveAll(p.Dir)
	} else {
		p.Dir = strings.TrimSuffix(j.WorkDir, "/") + "/" + id
		defer func() { err = cmp.Or(err, removeAll(quote(p.Dir)+"/*"), removeAll(quote(p.Dir))) }()
	}
	if p.Task == compareSystems {
		p.Output = p.Dir + "/values"
		p.Target = p.Output
	} else if p.Output != "" {
		if err := checkOutput(ctx, p.Output, names); err != nil {
			return nil, err
		}
		p.Target = p.Output
		p.Output += "." + id
		defer func() { err = cmp.Or(err, removeAll(quote(p.Output)+"-*")) }()
	}
	p.Data, p.IgnoreExtraFeatures = j.Data.sent(), j.IgnoreExtraFeatures
	for i, s := range systems {
		p.Systems = append(p.Systems, s.Name)
		write := func(w io.Writer) error { return model.Write(w, s.Model, "json") }
		if err := remote.Create(ctx, path(p.Dir, "model", i), write); err != nil {
			return nil, err
		}
	}
	outcome := path(p.Dir, "outcome", 0)
	if err := j.run(ctx, pipeline(p, names, outcome)); err != nil {
		return nil, err
	}
	done := &Pass{Files: len(names)}
	parts, err := readParts(ctx, outcome, len(names), done)
	if err != nil {
		return nil, err
	}
	for i := range parts {
		if parts[i].Err != nil {
			return nil, parts[i].Err
		}
	}
	if err := commit(parts); err != nil {
		return nil, err
	}
	done.Seconds = time.Since(begin).Seconds()
	done.Speed = float64(done.Rows) / done.Seconds
	return done, nil
}

// runnerError takes from what a runner says of a worker's failure the error of the worker.
func runnerError(err error) error {
	text := err.Error()
	if i := strings.LastIndex(text, " failed:\n"); i >= 0 {
		return errors.New(strings.TrimSpace(text[i+len(" failed:\n"):]))
	}
	return err
}

// readOutcome reads the file of a collectFn, and returns its size, too.
func readOutcome(ctx context.Context, outcome string) (list [][]byte, size int64, err error) {
	b, err := remote.Load(ctx, outcome, io.ReadAll)
	if err != nil {
		return nil, 0, fmt.Errorf("the workers' results cannot be read: %w; "+
			"workers on other machines need a folder that they share with this one", err)
	}
	if list, err = decode[[][]byte](b); err != nil {
		return nil, 0, fmt.Errorf("%s: %w", outcome, err)
	}
	return list, int64(len(b)), nil
}

// readParts reads what came of each file.
func readParts(ctx context.Context, outcome string, files int, done *Pass) ([]part, error) {
	list, bytes, err := readOutcome(ctx, outcome)
	if err != nil {
		return nil, err
	}
	done.Bytes = bytes
	parts := make([]part, files)
	found := 0
	var all size
	var shared []part
	for _, b := range list {
		p, err := decode[part](b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", outcome, err)
		}
		if p.Shared > 0 {
			shared = append(shared, p)
			continue
		}
		parts[p.Shard] = p
		found++
		all.add(p.Size)
		done.Bytes += int64(p.IDBytes)
	}
	for _, p := range shared { // of files without an error of their own
		if to := &parts[p.Shard]; to.Err == nil || to.Shared > p.Shared {
			to.Err, to.Shared = p.Err, p.Shared
		}
	}
	if found != files {
		return nil, fmt.Errorf("%d files, but results of %d", files, found)
	}
	done.Queries, done.Rows, done.Cols, done.Absent = all.Queries, all.Rows, all.Cols, all.Absent
	return parts, nil
}

// quote makes a pattern that matches a name alone.
func quote(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
}

// removeAll removes the files of a pattern, also of a run that was cancelled.
func removeAll(glob string) error {
	ctx := context.Background()
	system, err := filesystem.New(ctx, glob)
	if err != nil {
		return err
	}
	defer system.Close()
	names, err := system.List(ctx, glob)
	if err != nil {
		return err
	}
	remover, ok := system.(filesystem.Remover)
	if !ok && len(names) > 0 {
		return fmt.Errorf("%s: the file system cannot remove files", names[0])
	}
	for _, name := range names {
		if e := remover.Remove(ctx, name); e != nil && !errors.Is(e, os.ErrNotExist) {
			err = cmp.Or(err, e)
		}
	}
	return err
}
