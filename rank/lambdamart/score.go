package lambdamart

import (
	"context"
	"fmt"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
)

var (
	_ rank.Model = (*Model)(nil)
	_ rank.Model = (*Scorer)(nil)
)

// Features returns the number of input features, including features that no split uses.
func (m *Model) Features() int { return m.NumFeatures }

// Score returns the score of one document. It uses only the first Features() elements of x.
// Features that x lacks are 0, which splits treat as a value or as missing; see
// [Model.ZeroMissing]. For many documents, [Model.ScoreInto] is faster. Score may panic if a tree
// is invalid, for example if splits form a cycle; [Model.Validate] reports such trees.
func (m *Model) Score(x []float32) float64 { return m.score(x, len(m.Trees)) }

// Probabilities replaces scores with the probabilities that the documents are relevant; see
// Sigmoid. It returns an error unless the model was trained with log loss.
func (m *Model) Probabilities(scores []float64) error {
	if m.Sigmoid == 0 {
		return errs.New("lambdamart", "probabilities require a model that was trained with log loss")
	}
	for i, s := range scores {
		scores[i] = -float64(m.Sigmoid * s)
	}
	kernels.ExpF64(scores, scores)
	for i, e := range scores {
		scores[i] = 1 / (1 + e)
	}
	return nil
}

// score returns the score of the first trees.
func (m *Model) score(x []float32, trees int) float64 {
	score := m.Bias
	for i := range m.Trees[:trees] {
		t := &m.Trees[i]
		score += t.Leaf[t.leafOf(x)]
	}
	scores := [1]float64{score}
	m.rescale(scores[:], trees)
	return scores[0]
}

// leafOf returns the leaf that a document reaches.
func (t *Tree) leafOf(x []float32) int {
	if len(t.Feature) == 0 {
		return 0
	}
	node := int32(0)
	for range t.Feature { // no path of a tree has more splits
		var v float32
		if f := int(t.Feature[node]); f < len(x) {
			v = x[f]
		}
		if t.GoesLeft(int(node), v) {
			node = t.Left[node]
		} else {
			node = t.Right[node]
		}
		if node < 0 {
			return int(^node)
		}
	}
	panic("lambdamart: the splits of a tree form a cycle")
}

// leafOfRow returns the leaf that row i reaches. It reads only the features that splits on the way
// to the leaf use, because a dense copy of the row may be very wide.
func (t *Tree) leafOfRow(d *rank.Dataset, i int) int {
	if d.Sparse == nil {
		return t.leafOf(d.Row(i))
	}
	if len(t.Feature) == 0 {
		return 0
	}
	node := int32(0)
	for node >= 0 {
		if t.GoesLeft(int(node), valueOf(d, i, t.Feature[node])) {
			node = t.Left[node]
		} else {
			node = t.Right[node]
		}
	}
	return int(^node)
}

// ScoreInto implements [rank.Model]. It uses GOMAXPROCS goroutines and prepares the model for
// scoring in each call. For many small datasets, reuse the result of [Model.Scorer], which also has
// more methods.
func (m *Model) ScoreInto(ctx context.Context, dst []float64, d *rank.Dataset) error {
	if err := m.Validate(); err != nil {
		return err
	}
	s := Scorer{model: m, forest: newForest(m.Trees)}
	return s.ScoreInto(ctx, dst, d)
}

// A Scorer is a model that was prepared for scoring. Make it once and use it for many calls; it is
// safe for concurrent use. If a feature was never missing in training, a missing value (NaN) counts
// as the feature's median in models of [Trainer]. See the package comment before you omit features
// at serving time.
type Scorer struct {
	// Threads is the number of goroutines. If it is 0 or negative, GOMAXPROCS goroutines are used.
	// Scores do not depend on it.
	Threads int

	model       *Model
	zeroMissing bool
	forest      *forest
	requests    *requestTrees
}

// Scorer validates the model and prepares it for scoring. Do not modify the model afterwards.
func (m *Model) Scorer() (*Scorer, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return &Scorer{model: m, zeroMissing: m.ZeroMissing(), forest: newForest(m.Trees),
		requests: newRequestTrees(m.Trees)}, nil
}

// Features returns the number of input features, including features that no split uses.
func (s *Scorer) Features() int { return s.model.NumFeatures }

// Score is like [Model.Score] and bit-identical to it, but much faster. It does not allocate.
func (s *Scorer) Score(x []float32) float64 {
	w := requestWorks.Get().(*requestWork)
	defer requestWorks.Put(w)
	score := [1]float64{s.model.Bias}
	s.requests.add(score[:], w, x, len(x), 0, len(s.model.Trees))
	s.model.rescale(score[:], len(s.model.Trees))
	return score[0]
}

// ScoreRowsInto scores the documents of a request without a dataset. It sets dst[i] to the score of
// document i, x[i·stride : i·stride+cols]. The scores are bit-identical to [Scorer.Score]. It runs
// on the calling goroutine and does not allocate. It panics if the length of dst is not rows, if a
// number is negative, if stride is less than cols, or if x ends before the last row.
func (s *Scorer) ScoreRowsInto(dst []float64, x []float32, rows, cols, stride int) {
	checkRows("ScoreRowsInto", x, rows, cols, stride)
	if len(dst) != rows {
		panic(fmt.Sprintf("lambdamart: ScoreRowsInto: the length of dst is %d; it must be %d, one per row", len(dst), rows))
	}
	w := requestWorks.Get().(*requestWork)
	defer requestWorks.Put(w)
	s.scoreRows(dst, w, x, cols, stride)
}

func (s *Scorer) scoreRows(dst []float64, w *requestWork, x []float32, cols, stride int) {
	for i := range dst {
		dst[i] = s.model.Bias
	}
	lo := 0
	if len(dst) > s.requests.most {
		w.data = rank.Dataset{X: x, Cols: cols, Stride: stride}
		for ; len(dst)-lo > s.requests.most; lo = min(lo+trees.ForestRows, len(dst)) {
			s.forest.addBlock(dst[lo:min(lo+trees.ForestRows, len(dst))], &w.data, lo, len(s.model.Trees), nil)
		}
		w.data.X = nil
	}
	for n := 0; lo < len(dst); lo += n {
		n = s.requests.lanes(len(dst) - lo)
		s.requests.add(dst[lo:lo+n], w, x[lo*stride:], cols, stride, len(s.model.Trees))
	}
	s.model.rescale(dst, len(s.model.Trees))
}

// checkRows panics unless x contains the rows of a request.
func checkRows(name string, x []float32, rows, cols, stride int) {
	switch {
	case rows < 0 || cols < 0:
		panic(fmt.Sprintf("lambdamart: %s: %d rows and %d columns; neither may be negative", name, rows, cols))
	case stride < cols:
		panic(fmt.Sprintf("lambdamart: %s: stride is %d; it must be at least the number of columns, %d", name, stride,
			cols))
	case rows > 0 && (len(x) < cols || stride > 0 && (len(x)-cols)/stride < rows-1):
		panic(fmt.Sprintf("lambdamart: %s: x has %d values, too few for %d rows of %d columns with stride %d", name, len(x),
			rows, cols, stride))
	}
}

// ScoreInto implements [rank.Model].
func (s *Scorer) ScoreInto(ctx context.Context, dst []float64, d *rank.Dataset) (err error) {
	defer memory.Begin().End(&err)
	if err := s.start(dst, d); err != nil {
		return err
	}
	if err := s.add(ctx, dst, d, s.forest, len(s.model.Trees), nil); err != nil {
		return err
	}
	s.model.rescale(dst, len(s.model.Trees))
	return nil
}

// StagesInto scores the documents of d with a growing number of trees, in increments of step. Use
// it to plot a metric over the number of trees. It calls do with each number of trees, after
// writing their scores to dst, whose length must be d.Rows(). It returns the first error of do, or
// the context's error. It uses 16 MB of memory, or 8 bytes per row if that is more.
func (s *Scorer) StagesInto(ctx context.Context, dst []float64, d *rank.Dataset, step int,
	do func(trees int) error) error {
	return s.stages(ctx, dst, d, step, stageScores, do)
}

// stageScores limits the number of scores of stages that are computed together.
const stageScores = 2 << 20

func (s *Scorer) stages(ctx context.Context, dst []float64, d *rank.Dataset, step, room int,
	do func(trees int) error) (err error) {
	defer memory.Begin().End(&err)
	if step < 1 {
		return errs.Errorf("lambdamart", "step is %d; it must be at least 1", step)
	}
	if err := s.start(dst, d); err != nil {
		return err
	}
	// A forest computes as many stages together as fit in memory.
	total, f := len(s.model.Trees), s.forest
	step = min(step, max(total, 1))
	made := make([][]float64, min(max(1, room/max(len(dst), 1)), (total+step-1)/step))
	for i := range made {
		made[i] = make([]float64, len(dst))
	}
	for from := 0; from < total; {
		n := min(len(made), (total-from+step-1)/step)
		to := min(from+n*step, total)
		if from > 0 {
			copy(dst, made[len(made)-1]) // continue from the scores of the last stage before they were rescaled
		}
		if to-from < total {
			f = newForest(s.model.Trees[from:to])
		}
		if err := s.add(ctx, dst, d, f, to-from, &stages{step, made[:n]}); err != nil {
			return err
		}
		for _, scores := range made[:n] {
			copy(dst, scores)
			from = min(from+step, to)
			s.model.rescale(dst, from)
			if err := do(from); err != nil {
				return err
			}
		}
	}
	return nil
}

// start checks the operands and sets the scores to the scores of a model without trees.
func (s *Scorer) start(dst []float64, d *rank.Dataset) error {
	if err := rank.CheckScoring(d, s.model.NumFeatures); err != nil {
		return err
	}
	if err := s.model.CheckCategories(d.Categories); err != nil {
		return err
	}
	if len(dst) != d.Rows() {
		return errs.Errorf("lambdamart", "the length of dst is %d; it must be %d, one per document", len(dst), d.Rows())
	}
	for i := range dst {
		dst[i] = s.model.Bias
	}
	return nil
}

// add adds the values of the first count trees of a forest to the scores, and stores the scores of
// each stage if made is not nil.
func (s *Scorer) add(ctx context.Context, dst []float64, d *rank.Dataset, f *forest, count int, made *stages) error {
	const rows = trees.ForestRows
	tasks := (len(dst) + rows - 1) / rows
	return parallel.For(ctx, min(parallel.Threads(s.Threads), tasks), tasks, func(_, task int) {
		lo := task * rows
		f.addBlock(dst[lo:min(lo+rows, len(dst))], d, lo, count, made)
	})
}
