package lambdamart

import (
	"context"
	"fmt"
	"slices"

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

// Features returns the number of features that the model knows.
func (m *Model) Features() int { return m.NumFeatures }

// Score returns the score of one document. Features beyond the model's count nothing. Those that x
// lacks are 0, which each split takes for a value or for missing; see [Model.ZeroMissing]. For many
// documents, [Model.ScoreInto] is faster. It panics if a tree is invalid in a way that the document
// meets, such as splits that form a cycle; [Model.Validate] finds such trees.
func (m *Model) Score(x []float32) float64 { return m.score(x, len(m.Trees)) }

// Probabilities replaces scores by the probabilities that the documents are relevant, which a model
// of log loss tells: see Sigmoid. That of another model is an error.
func (m *Model) Probabilities(scores []float64) error {
	if m.Sigmoid == 0 {
		return errs.New("lambdamart", "the model was not trained by log loss: its scores are no probabilities")
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

// score returns the score by the first trees, so many of them.
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

// ScoreInto implements [rank.Model] on GOMAXPROCS goroutines. It makes the model ready for
// scoring each time: for many small datasets, keep a [Model.Scorer], which has more to choose too.
func (m *Model) ScoreInto(ctx context.Context, dst []float64, d *rank.Dataset) error {
	if err := m.Validate(); err != nil {
		return err
	}
	s := Scorer{model: m, forest: newForest(m.Trees)}
	return s.ScoreInto(ctx, dst, d)
}

// A Scorer is a model made ready for scoring. It is for many calls; several goroutines may share
// it. A feature that is missing (NaN) goes right at every split whose node had no missing values in
// training, as if it were +∞: see the package comment before a service omits features.
type Scorer struct {
	Threads int // goroutines; 0 or less means GOMAXPROCS. Scores do not depend on it

	model    *Model
	forest   *forest
	requests *requestTrees
}

// Scorer validates the model and makes it ready for scoring. Do not change the model afterwards.
func (m *Model) Scorer() (*Scorer, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return &Scorer{model: m, forest: newForest(m.Trees), requests: newRequestTrees(m.Trees)}, nil
}

// Features returns the number of features that the model knows.
func (s *Scorer) Features() int { return s.model.NumFeatures }

// Score returns the score of one document, with the bits of [Model.Score] in
// a fraction of its time. It allocates nothing.
func (s *Scorer) Score(x []float32) float64 {
	w := requestWorks.Get().(*requestWork)
	defer requestWorks.Put(w)
	score := [1]float64{s.model.Bias}
	s.requests.add(score[:], w, x, len(x), 0, len(s.model.Trees))
	s.model.rescale(score[:], len(s.model.Trees))
	return score[0]
}

// ScoreRowsInto sets dst[i] to the score of document i of a request, x[i·stride : i·stride+cols],
// for all of its rows: those of [Scorer.Score], without a dataset. It runs on the goroutine that
// calls it and allocates nothing. It panics when dst has not the length rows, when a number is
// negative or the stride less than cols, and when x ends before the last row.
func (s *Scorer) ScoreRowsInto(dst []float64, x []float32, rows, cols, stride int) {
	checkRows("ScoreRowsInto", x, rows, cols, stride)
	if len(dst) != rows {
		panic(fmt.Sprintf("lambdamart: ScoreRowsInto: %d places for the scores of %d rows", len(dst), rows))
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

// AppendTopK appends the rows of the k best documents of a request to dst, or of all where there
// are fewer, by descending score and equal scores by ascending row, as [kernels.AppendTopK] does.
// Rows of x are those of [Scorer.ScoreRowsInto], which says when it panics; so does a negative k.
// It allocates nothing but room in dst.
func (s *Scorer) AppendTopK(dst []int, x []float32, rows, cols, stride, k int) []int {
	checkRows("AppendTopK", x, rows, cols, stride)
	if k < 0 {
		panic(fmt.Sprintf("lambdamart: AppendTopK: the best %d rows", k))
	}
	w := requestWorks.Get().(*requestWork)
	defer requestWorks.Put(w)
	w.scores = slices.Grow(w.scores[:0], rows)[:rows]
	s.scoreRows(w.scores, w, x, cols, stride)
	return kernels.AppendTopK(dst, w.scores, k, &w.order)
}

// checkRows panics unless x has the rows of a request.
func checkRows(name string, x []float32, rows, cols, stride int) {
	switch {
	case rows < 0 || cols < 0:
		panic(fmt.Sprintf("lambdamart: %s: %d rows of %d columns", name, rows, cols))
	case stride < cols:
		panic(fmt.Sprintf("lambdamart: %s: a stride of %d for %d columns", name, stride, cols))
	case rows > 0 && (len(x) < cols || stride > 0 && (len(x)-cols)/stride < rows-1):
		panic(fmt.Sprintf("lambdamart: %s: %d values of x for %d rows of %d columns, stride %d", name, len(x), rows,
			cols, stride))
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

// StagesInto scores the documents of d by 1 tree, by 2 and so on up to all, in steps of the
// given size, for curves of a metric over the number of trees. dst, which must hold
// d.Rows() values, has the scores of the first trees when do is called with their number.
// StagesInto returns the first error of do, or the context's. It takes 16 MB, or 8 bytes per row if
// that is more.
func (s *Scorer) StagesInto(ctx context.Context, dst []float64, d *rank.Dataset, step int,
	do func(trees int) error) error {
	return s.stages(ctx, dst, d, step, stageScores, do)
}

// stageScores is the number of scores of stages that are made at once.
const stageScores = 2 << 20

func (s *Scorer) stages(ctx context.Context, dst []float64, d *rank.Dataset, step, room int,
	do func(trees int) error) (err error) {
	defer memory.Begin().End(&err)
	if step < 1 {
		return errs.Errorf("lambdamart", "stages of %d trees, want 1 or more", step)
	}
	if err := s.start(dst, d); err != nil {
		return err
	}
	// Stages are made as many at once as have room, by one forest.
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
			copy(dst, made[len(made)-1]) // not rescaled
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

// start checks the operands and writes the scores of no trees.
func (s *Scorer) start(dst []float64, d *rank.Dataset) error {
	if err := rank.CheckScoring(d, s.model.NumFeatures); err != nil {
		return err
	}
	if len(dst) != d.Rows() {
		return errs.Errorf("lambdamart", "%d places for the scores of %d documents", len(dst), d.Rows())
	}
	for i := range dst {
		dst[i] = s.model.Bias
	}
	return nil
}

// add adds the values of the first trees of a forest, so many of them, to the scores, and keeps
// their stages, if any.
func (s *Scorer) add(ctx context.Context, dst []float64, d *rank.Dataset, f *forest, count int, made *stages) error {
	const rows = trees.ForestRows
	tasks := (len(dst) + rows - 1) / rows
	return parallel.For(ctx, min(parallel.Threads(s.Threads), tasks), tasks, func(_, task int) {
		lo := task * rows
		f.addBlock(dst[lo:min(lo+rows, len(dst))], d, lo, count, made)
	})
}
