package tune

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

const (
	fileFormat  = "simdrank-study"
	fileVersion = 1
)

// A studyFile contains the trials of a study. It is stored as JSON.
type studyFile struct {
	path string

	Format  string          `json:"format"`
	Version int             `json:"version"`
	Data    string          `json:"data"`   // hash of the data
	Ranker  string          `json:"ranker"` // hash of the settings that all trials share
	Metric  string          `json:"metric"`
	Policy  string          `json:"policy"` // hash of the evaluator's options
	Folds   int             `json:"folds"`
	Rungs   string          `json:"rungs,omitempty"` // trials, folds and trees of each rung; "" without Halving
	Seed    uint64          `json:"seed"`
	Space   []string        `json:"space"`
	Trials  json.RawMessage `json:"trials"`

	list []Trial
}

// file returns the study file for s. If the file exists, file reads its trials.
func (s *Study) file(ctx context.Context, d *rank.Dataset, metric string) (*studyFile, error) {
	f := &studyFile{path: s.File, Format: fileFormat, Version: fileVersion, Metric: metric,
		Policy: modelfile.HashOptions(struct{ Options rank.Options }{s.Evaluator.Options()}), Folds: s.Folds,
		Seed: s.Seed, Space: []string{}}
	if s.File == "" {
		return f, nil
	}
	if s.Halving > 0 {
		f.Rungs = fmt.Sprint(s.rungs())
	}
	for _, r := range s.Space {
		f.Space = append(f.Space, r.String())
	}
	threads := 0
	if s.RankSVM != nil {
		settings := struct {
			RankSVM rank.RankSVM
			Gains   []float64 // gain of each row's label, because a function cannot be hashed
		}{RankSVM: *s.RankSVM}
		if gain := s.RankSVM.Gain; gain != nil {
			for _, y := range d.Labels {
				settings.Gains = append(settings.Gains, gain(y))
			}
		}
		f.Ranker, threads = "ranksvm "+modelfile.HashOptions(settings), s.RankSVM.Threads
	} else {
		f.Ranker, threads = "trees "+modelfile.HashOptions(hashed(*s.LambdaMART)), s.LambdaMART.Threads
	}
	var err error
	if f.Data, err = modelfile.HashData(ctx, d, threads); err != nil {
		return nil, err
	}
	if err := modelfile.Resume(s.File, func(text []byte) error { return f.resume(s, text) }); err != nil {
		return nil, errs.Op("tune", err)
	}
	return f, nil
}

// hashed returns the tree options in the form that study files hash. It replaces 0 by 1 in MinRows,
// for which both mean the same, and by −1 in other options whose default is not 0.
func hashed(t lambdamart.Trainer) *lambdamart.Trainer {
	t.MinRows = max(t.MinRows, 1)
	for _, v := range []*int{&t.Truncation, &t.MaxDrop} {
		if *v == 0 {
			*v = -1
		}
	}
	for _, v := range []*float64{&t.MinHessian, &t.PositionNorm, &t.CategorySmooth, &t.CategoryL2, &t.SkipDrop} {
		if *v == 0 {
			*v = -1
		}
	}
	return &t
}

// resume reads the trials from the text of a study file. It returns an error if the file belongs to
// another study.
func (f *studyFile) resume(s *Study, text []byte) error {
	var was studyFile
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&was); err != nil || was.Format != fileFormat {
		return errors.New("the file is not a study file")
	}
	if was.Version != fileVersion {
		return fmt.Errorf("version %d of %s is not supported; this release reads version %d", was.Version, fileFormat, fileVersion)
	}
	for _, c := range []struct {
		what     string
		was, now any
		hash     bool // whether the values are hashes, which error messages omit
	}{
		{"data", was.Data, f.Data, true},
		{"metric", was.Metric, f.Metric, false},
		{"metric options", was.Policy, f.Policy, true},
		{"number of folds", was.Folds, f.Folds, false},
		{"division into rungs", was.Rungs, f.Rungs, false},
		{"seed", was.Seed, f.Seed, false},
		{"space", strings.Join(was.Space, ","), strings.Join(f.Space, ","), false},
		{"ranker settings", was.Ranker, f.Ranker, true},
	} {
		switch {
		case c.was == c.now:
		case c.hash:
			return fmt.Errorf("the file belongs to a study with other %s", c.what)
		default:
			return fmt.Errorf("the file belongs to a study with another %s: %v in the file, %v in this study", c.what, c.was, c.now)
		}
	}
	// Check each trial before the next is decoded: millions of empty trials fit in a small file.
	var trials []json.RawMessage
	if err := json.Unmarshal(was.Trials, &trials); err != nil {
		return fmt.Errorf("the file is damaged: %w", err)
	}
	rungs := s.rungs()
	for i, text := range trials {
		var t Trial
		if err := json.Unmarshal(text, &t); err != nil {
			return fmt.Errorf("the file is damaged: trial %d: %w", i+1, err)
		}
		of, rung := i, rungs[len(rungs)-1]
		if s.Halving > 0 {
			var more bool
			if of, rung, more = s.next(f.list); !more {
				return errors.New("the file is damaged: it contains more trials than the study")
			}
		}
		parameters := draw(s.Space, s.Seed, of)
		switch {
		case !slices.Equal(t.Parameters, parameters):
			return fmt.Errorf("the file is damaged: the parameters of trial %d are %v; they must be %v", i+1, t.Parameters,
				parameters)
		case len(t.Folds) != rung.folds || math.Float64bits(t.Value) != math.Float64bits(mean(t.Folds)):
			return fmt.Errorf("the file is damaged: the value of trial %d is not the mean of its folds", i+1)
		case t.MaxTrees != rung.trees || t.Trees < 0 || t.Trees > t.MaxTrees:
			return fmt.Errorf("the file is damaged: the trees of trial %d are %d of at most %d; the limit must be %d",
				i+1, t.Trees, t.MaxTrees, rung.trees)
		}
		f.list = append(f.list, t)
	}
	return nil
}

// save writes the study file. It writes one trial per line.
func (f *studyFile) save(trials []Trial) error {
	if f.path == "" {
		return nil
	}
	var list bytes.Buffer
	separator := "[\n"
	for _, t := range trials {
		line, err := json.Marshal(t)
		if err != nil {
			return err
		}
		list.WriteString(separator)
		list.Write(line)
		separator = ",\n"
	}
	list.WriteString("\n]")
	f.Trials = json.RawMessage("null")
	head, err := json.Marshal(f)
	if err != nil {
		return err
	}
	text := append(bytes.TrimSuffix(head, []byte("null}")), list.Bytes()...)
	return modelfile.SaveTraining(f.path, func(w io.Writer) error {
		_, err := w.Write(append(text, "}\n"...))
		return err
	})
}
