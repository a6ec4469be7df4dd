package lambdamart

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

const (
	checkpointFormat  = "simdrank-checkpoint"
	checkpointVersion = 1
)

// A checkpoint is the state of a training. It is stored as JSON.
type checkpoint struct {
	Format   string   `json:"format"`
	Version  int      `json:"version"`
	Data     string   `json:"data"`     // hash of the training data
	Options  string   `json:"options"`  // hash of the Trainer's options that affect the trees
	Measured []string `json:"measured"` // names of the validation metrics

	Trees  int             `json:"trees"`  // number of trees of this training
	Values [][]float64     `json:"values"` // values of each metric, one per tree
	Model  json.RawMessage `json:"model"`
	Best   json.RawMessage `json:"best,omitempty"` // Model, but with the position factors at the best tree

	path  string
	every int
	model *Model           // the model that was read from the file
	best  *PositionFactors // the best position-bias factors that were read from the file
}

// checkpoint returns the checkpoint for a training of t on d. If the file exists, the checkpoint
// contains the contents of the file. The result is nil if no checkpoint is requested.
func (t *Trainer) checkpoint(ctx context.Context, d *rank.Dataset) (*checkpoint, error) {
	switch {
	case t.Checkpoint == "":
		return nil, nil
	case t.CheckpointEvery < 1:
		return nil, errs.Errorf("lambdamart", "CheckpointEvery is %d; it must be at least 1%s", t.CheckpointEvery,
			hint(t.CheckpointEvery == 0))
	case t.Dart:
		return nil, errs.New("lambdamart", "Checkpoint cannot be combined with Dart: "+
			"a model does not contain the state that is needed to drop earlier trees")
	}
	filled, err := t.filled(d) // filled validates d, which hashing requires
	if err != nil {
		return nil, err
	}
	c := &checkpoint{Format: checkpointFormat, Version: checkpointVersion, Measured: []string{}, path: t.Checkpoint,
		every: t.CheckpointEvery}
	if err := files.Check(c.path); err != nil {
		return nil, c.errorf("%w", err)
	}
	hashed := *filled
	if hashed.Truncation == 0 {
		hashed.Truncation = -1 // checkpoints contain −1 for no truncation
	}
	c.Options = modelfile.HashOptions(&hashed, "Trees")
	for _, v := range t.Validation {
		for _, name := range t.metricNames(v) {
			c.Measured = append(c.Measured, v.Name+" "+name)
		}
	}
	if c.Data, err = modelfile.HashData(ctx, d, t.Threads); err != nil {
		return nil, err
	}
	if err := modelfile.Resume(c.path, func(text []byte) error { return c.read(text, filled) }); err != nil {
		return nil, errs.Errorf("lambdamart", "checkpoint %w", err)
	}
	return c, nil
}

// errorf returns an error that names the checkpoint file.
func (c *checkpoint) errorf(format string, args ...any) error {
	return errs.Errorf("lambdamart", "checkpoint %w", &modelfile.FileError{Path: c.path, Err: fmt.Errorf(format,
		args...)})
}

// read reads a training from the content of a checkpoint file. It returns an error if the file
// belongs to another training. The defaults of t must be filled in.
func (c *checkpoint) read(content []byte, t *Trainer) error {
	was := checkpoint{}
	if err := json.Unmarshal(content, &was); err != nil || was.Format != checkpointFormat {
		return errors.New("the file is not a training checkpoint")
	}
	switch {
	case was.Version != checkpointVersion:
		return fmt.Errorf("version %d of %s is not supported; this release reads version %d", was.Version, checkpointFormat,
			checkpointVersion)
	case was.Data != c.Data:
		return errors.New("the file belongs to a training run on other data")
	case was.Options != c.Options:
		return errors.New("the file belongs to a training run with other options")
	case !slices.Equal(was.Measured, c.Measured):
		return fmt.Errorf("the file belongs to a training run with other metrics: %s in the file, %q in this run",
			text.Excerpt(fmt.Sprintf("%q", was.Measured)), c.Measured)
	case was.Trees > t.Trees:
		return fmt.Errorf("the file has %d trees, but this training run has at most %d", was.Trees, t.Trees)
	}
	m := &Model{}
	if err := m.UnmarshalJSON(was.Model); err != nil {
		return err
	}
	trees := len(m.Trees)
	if t.Start != nil {
		trees -= len(t.Start.Trees)
	}
	if was.Trees != trees || len(was.Values) != len(c.Measured) ||
		slices.ContainsFunc(was.Values, func(v []float64) bool { return len(v) != trees }) {
		return fmt.Errorf("the file is damaged: it contains %d of %d trees and the values of %d of %d metrics", trees, was.Trees,
			len(was.Values), len(c.Measured))
	}
	if was.Best != nil {
		best := &Model{}
		if err := best.UnmarshalJSON(was.Best); err != nil {
			return err
		}
		c.best = best.PositionFactors
	}
	c.model, c.Trees, c.Values = m, was.Trees, was.Values
	return nil
}

// from returns the options for a training that resumes from the checkpoint.
func (c *checkpoint) from(t *Trainer) *Trainer {
	if c == nil || c.model == nil {
		return t
	}
	o := *t
	o.Start = c.model
	return &o
}

// resume restores the state of tr, which started with the model of the checkpoint.
func (c *checkpoint) resume(ctx context.Context, tr *training) (string, error) {
	if c == nil || c.model == nil {
		return boost.StopTrees, nil
	}
	// Ignore cancellation, because trees without metric values would not count as finished.
	values, err := tr.watch.values(context.WithoutCancel(ctx), tr)
	if err != nil {
		return "", err
	}
	for k, v := range values {
		if was := c.Values[k]; len(was) > 0 && math.Float64bits(was[len(was)-1]) != math.Float64bits(v) {
			return "", c.errorf("%s has changed from %v to %v: the validation data or the metric options have changed",
				c.Measured[k], was[len(was)-1], v)
		}
	}
	tr.out.Grown = c.Trees
	stop := tr.watch.stop(tr.watch.Replay(c.Trees, c.Values))
	if tr.watch.positions = c.best; c.best == nil {
		tr.watch.positions = tr.model.PositionFactors
	}
	tr.out.Resumed = c.Trees
	tr.model.Settings["trees"] = strconv.Itoa(tr.o.Trees + len(c.model.Trees) - c.Trees)
	return stop, nil
}

// save writes the checkpoint file if the number of trees is a multiple of CheckpointEvery, or if
// last is true.
func (c *checkpoint) save(tr *training, last bool) error {
	if c == nil || !last && tr.out.Grown%c.every != 0 || tr.out.Grown == 0 {
		return nil
	}
	now := *c
	now.Trees, now.Values = tr.out.Grown, [][]float64{}
	for k, curve := range tr.watch.curves {
		if i := slices.IndexFunc(curve.Values, func(v float64) bool { return !finite(v) }); i >= 0 {
			return c.errorf("%s after tree %d is %v; values must be finite in JSON", c.Measured[k], i+1,
				curve.Values[i])
		}
		if len(curve.Values) != tr.out.Grown {
			return nil // keep the existing file, because the last tree was not evaluated
		}
		now.Values = append(now.Values, curve.Values)
	}
	var err error
	if now.Model, err = tr.model.MarshalJSON(); err != nil {
		return err
	}
	if best := tr.watch.positions; best != nil {
		m := &Model{NumFeatures: tr.model.NumFeatures, PositionFactors: best}
		if now.Best, err = m.MarshalJSON(); err != nil {
			return err
		}
	}
	text, err := json.Marshal(now)
	if err != nil {
		return err
	}
	if err := modelfile.SaveTraining(c.path, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	}); err != nil {
		return errs.Errorf("lambdamart", "checkpoint %w", err)
	}
	return nil
}
