// Package rankbeam trains, applies and evaluates ranking models on data that is too large for one
// machine, using Apache Beam. Results are bit-identical to a run on one machine, for any number of
// files and workers.
//
// A program calls beam.Init and then the methods of a [Job]:
//
//	job := rankbeam.Job{Data: rankbeam.Data{Glob: "gs://bucket/test-*"}}
//	results, pass, err := job.Evaluate(ctx, rankbeam.System{Name: "model", Model: m}, "")
//
// Each data file is an element of a pipeline. A worker reads a file in chunks of whole queries, so
// it never holds a whole file in memory. Workers send only sums, counts and query IDs to each other
// and to the program. They send no rows, except for the samples from which tree bins and Hessians
// are computed. Sums are exact, so results do not depend on the file order or on the distribution
// of rows. Workers write scores and per-query values to one output file per data file.
//
// Invalid data is returned as a result, not as a worker failure, so that the runner does not retry
// it. The method returns the first error in file order. If a file system or a worker fails, the
// work on the file is repeated from its beginning.
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

// A Job describes the data, the metrics and the execution of pipelines. Call beam.Init before its
// methods.
type Job struct {
	Data Data

	// Valid is the validation data, on which training selects C or the number of trees. nil means
	// that there is none.
	Valid *Data

	// Evaluator computes the metrics. Training selects C or the number of trees by the first
	// metric. nil means NDCG@10 with default options.
	Evaluator *rank.Evaluator

	// WorkDir is a folder in a Beam file system through which the program and its workers exchange
	// models and results. "" means a temporary folder on this machine, for workers that run on it.
	WorkDir string

	// StateDir is a folder like WorkDir, in which training stores the data that it has read. It is
	// not removed, and training on the same files reuses it. "" means a folder in WorkDir that is
	// removed.
	StateDir string

	// Run runs a pipeline and waits until it ends. nil means beamx.Run, whose runner is set by the
	// flag --runner (prism by default).
	Run func(context.Context, *beam.Pipeline) error

	// IgnoreExtraFeatures ignores data features that the model does not have. If it is false, such
	// features cause an error.
	IgnoreExtraFeatures bool

	// Settle, if not nil, is called during training when the columns are known. It can set options
	// that depend on the columns. If it returns an error, training stops. names is nil if the
	// columns have no names.
	Settle func(cols int, names []string) error

	// OnPass, if not nil, is called after every training pass.
	OnPass func(Pass)
}

// A System is a named model.
type System struct {
	Name  string
	Model rank.Model
}

// A Pass reports the cost of one pass over the data or of a whole training. Bytes, Seconds and
// Speed of a training include all of its passes. Workers send results, query IDs, samples and
// histograms.
type Pass struct {
	Name    string  `json:"name,omitempty"` // name of a training pass
	Files   int     `json:"files"`
	Queries int     `json:"queries"` // 0 if the data was read for scoring
	Rows    int     `json:"rows"`
	Cols    int     `json:"features"`      // number of features, the maximum over all rows
	Absent  int64   `json:"absent"`        // number of omitted features, summed over rows
	Bytes   int64   `json:"bytes_shipped"` // number of bytes sent by workers
	Seconds float64 `json:"seconds"`
	Speed   float64 `json:"rows_per_second"`
	Passes  []Pass  `json:"passes,omitempty"` // passes of a training

	begin time.Time
}

// A dataError is an error about the data, in the form that workers send to the driver. Err is an
// error with fields that gob can encode, or the text of another error.
type dataError struct{ Err error }

// Error returns the text of Err, which starts with the file name.
func (e *dataError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *dataError) Unwrap() error { return e.Err }

// A plainError is the text of an error.
type plainError string

func (e plainError) Error() string { return string(e) }

// wireError returns an error in the form that is sent to the driver.
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

// encode returns v encoded by gob.
func encode(v any) []byte {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		panic(err) // writing to a buffer does not fail, and gob supports all of these types
	}
	return b.Bytes()
}

func decode[T any](b []byte) (v T, err error) {
	err = gob.NewDecoder(bytes.NewReader(b)).Decode(&v)
	return v, err
}

// quote returns a pattern that matches only the given name.
func quote(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
}

// removeAll removes the files that match a pattern, even if the run was canceled.
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
		return fmt.Errorf("%s: the file system does not support removing files", names[0])
	}
	for _, name := range names {
		if e := remover.Remove(ctx, name); e != nil && !errors.Is(e, os.ErrNotExist) {
			err = cmp.Or(err, e)
		}
	}
	return err
}
