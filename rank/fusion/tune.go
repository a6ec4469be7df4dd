package fusion

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/trec"
)

// ErrNoTopics is the error of [Fuser.Tune] if no topic of the runs has judgments.
var ErrNoTopics = errs.New("fusion", "no topic of the runs has judgments")

// Tune finds the best weights of the runs on a grid. It fuses the runs with each weight combination
// of the grid and evaluates the fused runs against judgments. It returns the combination with the
// highest mean of the metric, and that mean. If several combinations are equally good, it returns
// the first. The mean is over all topics that have judgments; a topic without results counts as an
// empty result list. The evaluator must have exactly one metric, and options for lists of
// [trec.Qrels], such as the preset trec_eval.
//
// Tuned weights look better on the judgments that they were tuned on than on other judgments.
// Evaluate them on topics that were not used for tuning.
func (f *Fuser) Tune(ctx context.Context, runs []*trec.Run, judgments *trec.Qrels, e *rank.Evaluator,
	grid [][]float64) (weights []float64, mean float64, err error) {
	if !f.UsesWeights() {
		return nil, 0, errs.Errorf("fusion", "method %v does not support weights (supported: rrf, combsum, combmnz, borda)", f.Method)
	}
	if len(grid) == 0 {
		return nil, 0, errs.New("fusion", "the grid is empty; it must contain at least one list of weights")
	}
	if len(e.Metrics()) != 1 {
		return nil, 0, errs.Errorf("fusion", "the evaluator has the metrics %q; it must have exactly one metric", e)
	}
	all := *judgments
	all.SkipUnanswered = false
	progress := parallel.NewProgress(f.Progress, int64(len(grid)))
	for _, w := range grid {
		trial := *f
		trial.Weights, trial.Progress = w, nil
		run, err := trial.Fuse(ctx, runs)
		if err != nil {
			return nil, 0, err
		}
		lists := all.Lists(run)
		if !slices.ContainsFunc(lists, func(l rank.List) bool { return len(l.Labels) > 0 }) {
			return nil, 0, ErrNoTopics
		}
		results, err := e.EvalAll(ctx, lists)
		if err != nil {
			return nil, 0, err
		}
		got := results.Metrics[0].Mean
		if got != got {
			return nil, 0, errs.Errorf("fusion", "%v is undefined for all topics", e)
		}
		if weights == nil || got > mean {
			weights, mean = w, got
		}
		progress.Add(1)
	}
	return weights, mean, nil
}

// maxGrid is the maximum number of weight combinations in a grid.
const maxGrid = 100_000

// ParseGrid returns the weight combinations of a grid for the given number of runs. The grid has
// the form FROM:TO:STEP, as in 0:1:0.1. Each weight varies from FROM to TO in steps of STEP, and
// the weight of the last run changes fastest. The combination in which all weights are 0 is
// omitted. Multiples of an earlier combination are also omitted, because they produce the same
// ranking.
func ParseGrid(spec string, runs int) ([][]float64, error) {
	parts := strings.Split(spec, ":")
	var of [3]float64
	if len(parts) != len(of) {
		return nil, errs.Errorf("fusion", "grid %.40q must have the form FROM:TO:STEP, as in 0:1:0.1", spec)
	}
	for i, part := range parts {
		v, err := text.ParseNumber(part, 64)
		if err != nil || v-v != 0 {
			return nil, errs.Errorf("fusion", "grid %.40q: %.40q is not a finite number", spec, part)
		}
		of[i] = v
	}
	from, to, step := of[0], of[1], of[2]
	switch {
	case from < 0:
		return nil, errs.Errorf("fusion", "grid %.40q: weights must not be negative", spec)
	case to < from:
		return nil, errs.Errorf("fusion", "grid %.40q: the end must not be less than the start", spec)
	case step <= 0:
		return nil, errs.Errorf("fusion", "grid %.40q: the step must be positive", spec)
	case runs < 1:
		return nil, errs.New("fusion", "at least one run is required")
	}
	steps := (to-from)/step + 1e-9 // the quotient may be rounded down: 0.3/0.1 is less than 3
	if !(steps < maxGrid) {
		return nil, errs.Errorf("fusion", "grid %.40q has more than %d combinations", spec, maxGrid)
	}
	values := make([]float64, int(steps)+1)
	for i := range values {
		v := from + float64(float64(i)*step)
		// Remove rounding errors: 3·0.1 is not the float64 that is written as 0.3.
		values[i], _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	}
	combinations := 1
	for range runs {
		if combinations *= len(values); combinations > maxGrid {
			return nil, errs.Errorf("fusion", "grid %.40q has more than %d combinations for %d runs", spec, maxGrid,
				runs)
		}
	}
	var grid [][]float64
	seen := map[string]bool{}
	for c := range combinations {
		weights := make([]float64, runs)
		most := 0.
		for i := runs - 1; i >= 0; i-- {
			weights[i] = values[c%len(values)]
			most = max(most, weights[i])
			c /= len(values)
		}
		if most == 0 {
			continue
		}
		var key []byte
		for _, w := range weights {
			key = append(strconv.AppendFloat(key, w/most, 'g', 9, 64), ' ')
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			grid = append(grid, weights)
		}
	}
	if grid == nil {
		return nil, errs.Errorf("fusion", "grid %.40q has no positive weight", spec)
	}
	return grid, nil
}
