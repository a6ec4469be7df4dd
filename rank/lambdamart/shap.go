package lambdamart

import (
	"context"
	"errors"
	"fmt"

	"github.com/simdrank/simdrank/internal/mapped"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
)

// Contributions writes what each feature adds to the score of each document of d: its Shapley
// value, where a feature that is not known is averaged over by following both children of a split
// by the share of training rows that went there (TreeSHAP, path-dependent; Lundberg et al. 2020).
// dst holds m+1 values per row for a model of m features, of which the last is the same for all
// rows: the mean score of the training rows. The values of a row sum to its score, up to rounding.
//
// Shares are those of the trees' counts or, in a model that does not know these, of their weights,
// which is what XGBoost does. A model that knows neither is an error.
func (s *Scorer) Contributions(ctx context.Context, dst []float64, d *rank.Dataset) (err error) {
	defer mapped.Begin().End(&err)
	m := s.model
	width := m.NumFeatures + 1
	if err := rank.CheckScoring(d, m.NumFeatures); err != nil {
		return err
	}
	if len(dst) != d.Rows()*width {
		return fmt.Errorf("lambdamart: %d places for the %d contributions to each of %d scores", len(dst), width,
			d.Rows())
	}
	trees := m.Trees[:s.trees()]
	mean := m.Bias
	left := make([][]float64, len(trees)) // the share of rows that each split sends left
	for i := range trees {
		var err error
		if left[i], err = trees[i].shares(); err != nil {
			return fmt.Errorf("lambdamart: tree %d: %w", i, err)
		}
		mean += trees[i].mean(left[i])
	}
	workers := parallel.Threads(s.Threads)
	explainers := make([]explainer, workers)
	return parallel.For(ctx, workers, d.Rows(), func(worker, row int) {
		e := &explainers[worker]
		e.x, e.phi = e.row.of(d, row), dst[row*width:(row+1)*width]
		clear(e.phi)
		e.phi[width-1] = mean
		for i := range trees {
			e.tree, e.left = &trees[i], left[i]
			if len(e.tree.Feature) > 0 {
				e.path = e.path[:0]
				e.follow(0, 0, 0, element{-1, 1, 1, 0})
			}
		}
	})
}

// shares returns the share of training rows that each split sends left.
func (t *Tree) shares() ([]float64, error) {
	splits := len(t.Feature)
	if splits == 0 {
		return nil, nil
	}
	var cover func(node int32) float64
	switch {
	case len(t.Count) == splits && len(t.LeafCount) == splits+1:
		cover = func(node int32) float64 {
			if node < 0 {
				return float64(t.LeafCount[^node])
			}
			return float64(t.Count[node])
		}
	case len(t.Weight) == splits && len(t.LeafWeight) == splits+1:
		cover = func(node int32) float64 {
			if node < 0 {
				return t.LeafWeight[^node]
			}
			return t.Weight[node]
		}
	default:
		return nil, errors.New("neither the counts nor the weights of all splits and leaves are known")
	}
	left := make([]float64, splits)
	for s := range left {
		l, r := max(cover(t.Left[s]), 0), max(cover(t.Right[s]), 0)
		if left[s] = l / (l + r); !(l+r > 0 && finite(left[s])) {
			left[s] = .5
		}
	}
	return left, nil
}

// mean returns the mean value of the leaves.
func (t *Tree) mean(left []float64) float64 {
	var w walk
	if w.preorder(t) != nil {
		return 0 // no tree of a scorer
	}
	if len(w.splits) == 0 {
		return t.Leaf[0]
	}
	mean := make([]float64, len(w.splits)) // below each split
	value := func(node int32) float64 {
		if node < 0 {
			return t.Leaf[^node]
		}
		return mean[node]
	}
	for i := len(w.splits) - 1; i >= 0; i-- { // children before their parents
		s := w.splits[i]
		mean[s] = float64(left[s]*value(t.Left[s])) + float64((1-left[s])*value(t.Right[s]))
	}
	return mean[0]
}

// An element of a path from the root: a feature with the share of rows that take the path when it
// is not known (zero) and when it is (one, which is 0 or 1). weight sums, over the sets with as
// many of the path's features as the element's place, the shares of rows that take the path, times
// the weights of Shapley.
type element struct {
	feature           int32
	zero, one, weight float64
}

// An explainer follows all paths of a tree and adds to the contributions.
type explainer struct {
	tree *Tree
	left []float64
	row  denseRow
	x    []float32
	phi  []float64
	path []element // paths of all splits from the root to the current one, one after the other

	inverse []float64 // 1/n at n
}

// follow visits a node whose parent's path is e.path[from:from+n], to which it adds an element.
func (e *explainer) follow(node int32, from, n int, last element) {
	at := len(e.path)
	e.path = append(e.path, e.path[from:from+n]...)
	e.path = append(e.path, last)
	path := e.path[at:]
	extend(path)
	t := e.tree
	if node < 0 {
		for n := len(e.inverse); n <= len(path); n++ {
			e.inverse = append(e.inverse, 1/float64(n)) // never used at 0
		}
		for i := 1; i < len(path); i++ {
			p := &path[i]
			e.phi[p.feature] += float64(float64(e.unwoundSum(path, i)*(p.one-p.zero)) * t.Leaf[^node])
		}
		e.path = e.path[:at]
		return
	}
	s, f := int(node), t.Feature[node]
	var v float32
	if int(f) < len(e.x) {
		v = e.x[f]
	}
	hot, cold, share := t.Left[s], t.Right[s], e.left[s]
	if !t.goesLeft(s, v) {
		hot, cold, share = cold, hot, 1-share
	}
	zero, one := 1.0, 1.0
	for i := 1; i < len(path); i++ {
		if path[i].feature == f { // each feature once
			zero, one = path[i].zero, path[i].one
			unwind(path, i)
			e.path = e.path[:len(e.path)-1]
			path = path[:len(path)-1]
			break
		}
	}
	// What no row reaches with or without the feature adds nothing, and has no inverse.
	if share*zero > 0 || one > 0 {
		e.follow(hot, at, len(path), element{f, share * zero, one, 0})
	}
	if (1-share)*zero > 0 {
		e.follow(cold, at, len(path), element{f, (1 - share) * zero, 0, 0})
	}
	e.path = e.path[:at]
}

// extend brings the weights of a path up to date with its last element.
func extend(path []element) {
	d := len(path) - 1
	zero, one := path[d].zero, path[d].one
	path[d].weight = 0
	if d == 0 {
		path[d].weight = 1
	}
	for i := d - 1; i >= 0; i-- {
		w := path[i].weight / float64(d+1)
		path[i+1].weight += float64(float64(one*w) * float64(i+1))
		path[i].weight = float64(float64(zero*w) * float64(d-i))
	}
}

// unwind takes element k out of the path, whose last element is then to be cut off.
func unwind(path []element, k int) {
	d := len(path) - 1
	zero, one, next := path[k].zero, path[k].one, path[d].weight
	for i := d - 1; i >= 0; i-- {
		if one != 0 {
			w := path[i].weight
			path[i].weight = next * float64(d+1) / (float64(i+1) * one)
			next = w - float64(path[i].weight*zero*float64(d-i)/float64(d+1))
		} else {
			path[i].weight = path[i].weight * float64(d+1) / (zero * float64(d-i))
		}
	}
	for i := k; i < d; i++ {
		path[i].feature, path[i].zero, path[i].one = path[i+1].feature, path[i+1].zero, path[i+1].one
	}
}

// unwoundSum returns the sum of the weights that unwind would leave.
func (e *explainer) unwoundSum(path []element, k int) float64 {
	d := len(path) - 1
	zero, sum := path[k].zero, 0.0
	if path[k].one == 0 {
		for i, w := range path[:d] {
			sum += float64(w.weight * e.inverse[d-i])
		}
		return sum * float64(d+1) / zero
	}
	next := path[d].weight
	zero *= e.inverse[d+1]
	for i := d - 1; i >= 0; i-- {
		w := float64(next * float64(d+1) * e.inverse[i+1])
		sum += w
		next = path[i].weight - float64(w*float64(zero*float64(d-i)))
	}
	return sum
}
