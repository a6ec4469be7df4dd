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

// ErrNoTopics is returned by [Fuser.Tune].
var ErrNoTopics = errs.New("fusion", "no topic of the runs has judgments")

// Tune fuses runs with each of the weights of a grid, measures the fused runs against judgments,
// and returns the weights whose mean of the metric is the highest, of equal ones the first, with
// that mean. It is over all topics that have judgments; one without results counts as empty
// results. The evaluator has one metric and options for lists of [trec.Qrels], such as the preset
// trec_eval.
//
// Weights that were tuned on judgments look better on these than on others: measure them on topics
// that they have not seen.
func (f *Fuser) Tune(ctx context.Context, runs []*trec.Run, judgments *trec.Qrels, e *rank.Evaluator,
	grid [][]float64) (weights []float64, mean float64, err error) {
	if !f.UsesWeights() {
		return nil, 0, errs.Errorf("fusion", "%v has no weights to tune; rrf, combsum, combmnz and borda have", f.Method)
	}
	if len(grid) == 0 {
		return nil, 0, errs.New("fusion", "the grid has no weights")
	}
	if len(e.Metrics()) != 1 {
		return nil, 0, errs.Errorf("fusion", "weights are tuned by %q, want one metric", e)
	}
	all := *judgments
	all.Complete = true
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

// maxGrid is how many combinations a grid may have.
const maxGrid = 100_000

// ParseGrid returns the weights of so many runs that a text such as 0:1:.1 describes: all
// combinations of the numbers from the first to the second in steps of the third, the last run's
// weight changing fastest. The combination of zeros alone is left out, and those that are multiples
// of an earlier one, which rank alike.
func ParseGrid(spec string, runs int) ([][]float64, error) {
	parts := strings.Split(spec, ":")
	var of [3]float64
	if len(parts) != len(of) {
		return nil, errs.Errorf("fusion", "grid %.40q: want FROM:TO:STEP, as in 0:1:.1", spec)
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
		return nil, errs.Errorf("fusion", "grid %.40q: weights from 0 on are wanted", spec)
	case to < from:
		return nil, errs.Errorf("fusion", "grid %.40q: ends before it begins", spec)
	case step <= 0:
		return nil, errs.Errorf("fusion", "grid %.40q: the step is not positive", spec)
	case runs < 1:
		return nil, errs.New("fusion", "no runs")
	}
	steps := (to-from)/step + 1e-9 // 0.3/0.1 is less than 3
	if !(steps < maxGrid) {
		return nil, errs.Errorf("fusion", "grid %.40q has more than %d combinations", spec, maxGrid)
	}
	values := make([]float64, int(steps)+1)
	for i := range values {
		v := from + float64(float64(i)*step)
		// 0.3 for 3·0.1
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
