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
	"os"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
)

// A Job says where the data are, how they are measured, and how pipelines run. beam.Init must have
// been called.
type Job struct {
	Data Data

	// Valid are validation data, by which a training chooses C or the number of trees. nil means
	// that there are none.
	Valid *Data

	// Evaluator computes the metrics; nil means NDCG@10 with its default options. A training
	// chooses by the first metric.
	Evaluator *rank.Evaluator

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

	// OnPass is called after every pass of a training, unless it is nil.
	OnPass func(Pass)
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

	begin time.Time
}

// A dataError is an error about the data, in the form that workers send to the driver: Err is an
// error with fields that gob can write, or the text of another one.
type dataError struct{ Err error }

// Error returns the text of Err, which begins with the file.
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
