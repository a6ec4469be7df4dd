package boost

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/rank"
)

// filled returns p with the defaults of a lambdamart.Trainer in place of zeros; negative numbers
// stand for 0.
func filled(p Params) *Params {
	depth, leaves := 0, 31
	if p.DepthWise {
		depth = cmp.Or(p.Depth, 6)
		leaves = 1 << depth
	}
	p.Depth, p.Leaves = cmp.Or(p.Depth, depth), cmp.Or(p.Leaves, leaves)
	p.MinRows, p.MaxBins = cmp.Or(p.MinRows, 20), cmp.Or(p.MaxBins, 255)
	p.OneHot, p.MaxCategories = cmp.Or(p.OneHot, 4), cmp.Or(p.MaxCategories, 32)
	p.CategoryRows = cmp.Or(p.CategoryRows, 100)
	p.LearningRate, p.MinHessian = cmp.Or(p.LearningRate, .1), max(cmp.Or(p.MinHessian, 1e-3), 0)
	p.CategorySmooth, p.CategoryL2 = max(cmp.Or(p.CategorySmooth, 10), 0), max(cmp.Or(p.CategoryL2, 10), 0)
	for _, fraction := range []*float64{&p.QueryFraction, &p.RowFraction, &p.FeatureFraction, &p.NodeFeatureFraction} {
		*fraction = cmp.Or(*fraction, 1)
	}
	return &p
}

// growOn grows a tree on d by the given derivatives, which are not rounded unless units are set.
func growOn(t *testing.T, o Params, d *rank.Dataset, threads int, grad, hess []int64,
	set ...func(*Grower)) (*Tree, *Grower) {
	t.Helper()
	full := filled(o)
	full.Threads = threads
	b := newTestBins(t, d, full.BinOptions)
	team := parallel.NewTeam(threads)
	defer team.Close()
	g := NewGrower(full, b, team, make([]float32, len(grad)), make([]float32, len(grad)))
	g.unit = Units{1 << 16, 1 << 16}
	for _, f := range set {
		f(g)
	}
	for r := range grad {
		g.grad[r], g.hess[r] = float32(grad[r]), float32(hess[r])
	}
	dr := NewDraw(full, d.Offsets)
	n := dr.Tree(g, 0)
	total, err := g.Scale(t.Context(), n, g.unit)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := g.Grow(t.Context(), n, total)
	if err != nil {
		t.Fatal(err)
	}
	return tree, g
}

var nan = float32(math.NaN())

func TestGrowByHand(t *testing.T) {
	all := Params{MinRows: 1, MinHessian: -1, LearningRate: 1}
	with := func(f func(*Params)) Params {
		o := all
		f(&o)
		return o
	}
	// Each value stands three times, so that it has a bin of its own.
	times3 := func(v ...float32) (rows [][]float32) {
		for _, v := range v {
			rows = append(rows, []float32{v}, []float32{v}, []float32{v})
		}
		return rows
	}
	for _, c := range []struct {
		name string
		o    Params
		x    [][]float32
		grad []int64 // of each three rows
		want string
	}{
		// The sums of gradient and Hessian are −6, 9 on the left and 12, 3 on the right: 36/9 +
		// 144/3 − 36/12 = 49.
		{"one split", all, times3(1, 2, 3, 4), []int64{-2, 0, 0, 4}, "0≤3.5m(0≤1.5(2,0),-4)"},
		{"two leaves", with(func(o *Params) { o.Leaves = 2 }), times3(1, 2, 3, 4), []int64{-2, 0, 0, 4},
			"0≤3.5m(0.6666666666666666,-4)"},
		{"L2", with(func(o *Params) { o.Leaves, o.L2 = 2, 3 }), times3(1, 2), []int64{-2, 2}, "0≤1.5m(1,-1)"},
		{"L1", with(func(o *Params) { o.Leaves, o.L1 = 2, 3 }), times3(1, 2), []int64{-2, 2}, "0≤1.5m(1,-1)"},
		{"gain too small", with(func(o *Params) { o.MinGain = 24 }), times3(1, 2), []int64{-2, 2}, "0"},
		{"gain just enough", with(func(o *Params) { o.MinGain = 23.9 }), times3(1, 2), []int64{-2, 2}, "0≤1.5m(2,-2)"},
		{"Hessian too small", with(func(o *Params) { o.MinHessian = 3.5 }), times3(1, 2), []int64{-2, 2}, "0"},
		{"rows too few", with(func(o *Params) { o.MinRows = 4 }), times3(1, 2), []int64{-2, 2}, "0"},
		{"depth", with(func(o *Params) { o.Depth = 1 }), times3(1, 2, 3, 4), []int64{-2, 0, 0, 4},
			"0≤3.5m(0.6666666666666666,-4)"},
		// The median, 2, goes right, and so do missing values.
		{"no missing values", with(func(o *Params) { o.Leaves = 2 }), times3(1, 2, 3, 4), []int64{-3, 1, 1, 1},
			"0≤1.5(3,-1)"},
		{"missing to the left", with(func(o *Params) { o.Leaves = 2 }), times3(1, nan, 3), []int64{-2, -2, 4},
			"0≤2m(2,-4)"},
		{"missing to the right", with(func(o *Params) { o.Leaves = 2 }), times3(1, nan, 3), []int64{-4, 2, 2},
			"0≤2(4,-2)"},
		{"missing alone", with(func(o *Params) { o.Leaves = 2 }), times3(1, nan, 3), []int64{2, -4, 2},
			"0≤+Inf(-2,4)"},
		{"zero as missing", with(func(o *Params) { o.Leaves, o.ZeroMissing = 2, true }), times3(-1, 0, 3),
			[]int64{-2, 4, -2}, "0≤+Infz(2,-4)"},
		{"one category", with(func(o *Params) { o.Leaves, o.Categorical = 2, []int{0} }), times3(5, 6, 7),
			[]int64{-2, 4, -2}, "0∈[6](-4,2)"},
		{"set of categories", with(func(o *Params) {
			o.Leaves, o.Categorical, o.OneHot, o.CategorySmooth, o.CategoryL2, o.CategoryRows = 2, []int{0}, 1, -1, -1,
				1
		}), times3(5, 36, 7, 8), []int64{-2, 4, -2, 4}, "0∈[5 7](2,-4)"},
		{"monotone against the data", with(func(o *Params) { o.Monotone = []int8{1} }), times3(1, 2), []int64{-2, 2},
			"0"},
		{"monotone with the data", with(func(o *Params) { o.Monotone = []int8{-1} }), times3(1, 2), []int64{-2, 2},
			"0≤1.5m(2,-2)"},
		{"monotone, missing above", with(func(o *Params) { o.Leaves, o.Monotone = 2, []int8{1} }), times3(1, nan, 3),
			[]int64{2, -4, 2}, "0≤+Inf(-2,4)"},
		{"monotone, missing below", with(func(o *Params) { o.Leaves, o.Monotone = 2, []int8{1} }), times3(1, nan, 3),
			[]int64{-2, 4, -2}, "0≤+Inf(2,-4)"},
		// The value of missing values does not bound those of the others.
		{"monotone beside missing", with(func(o *Params) { o.Leaves, o.Monotone = 3, []int8{1} }),
			times3(1, nan, nan, nan, 3), []int64{5, 40, 40, 40, -15}, "0≤+Inf(0≤2m(-5,15),-40)"},
		{"depth-wise", with(func(o *Params) { o.DepthWise, o.Leaves = true, 4 }), times3(1, 2, 3, 4),
			[]int64{-9, -8, 1, 2},
			"0≤2.5m(0≤1.5(9,8),0≤3.5m(-1,-2))"},
	} {
		t.Run(c.name, func(t *testing.T) {
			grad, hess := make([]int64, len(c.x)), make([]int64, len(c.x))
			for i := range c.x {
				grad[i], hess[i] = c.grad[i/3], 1
			}
			tree, _ := growOn(t, c.o, synth.Table(c.x...), 1, grad, hess)
			if got := show(tree, 0); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestSplitRules tests the rules in docs/explanation/training.md. Except in the last two cases, the
// splits and gains are identical to LightGBM 4.6.0, which trains a regression tree with
// num_leaves=2, min_data_in_leaf=1, min_sum_hessian_in_leaf=0, learning_rate=1,
// boost_from_average=false, min_data_per_group=1, and the same cat_smooth and cat_l2.
func TestSplitRules(t *testing.T) {
	type group struct {
		value float32
		rows  int
		label int64
	}
	categories := Params{BinOptions: BinOptions{Categorical: []int{0}}, CategorySmooth: -1, CategoryL2: -1,
		CategoryRows: 1}
	with := func(f func(*Params)) Params {
		o := categories
		f(&o)
		return o
	}
	six := func(missing int64) []group {
		return []group{{1, 20, 0}, {2, 20, 1}, {3, 20, 0}, {4, 20, 1}, {5, 20, 0}, {6, 20, 100}, {nan, 20, missing}}
	}
	rare := func(rows int) []group {
		return []group{{1, 40, 0}, {2, 40, 0}, {3, 40, 0}, {4, 40, 0}, {5, 40, 0}, {6, 40, 0}, {9, rows, 10}}
	}
	for _, c := range []struct {
		name   string
		o      Params
		groups []group
		want   string
		gain   float64
	}{
		{"values of two rows share a bin", Params{}, []group{{1, 2, 0}, {2, 2, 10}, {3, 20, 0}},
			"0≤2.5(5,0)", 83.333333},
		{"values of three rows do not", Params{}, []group{{1, 3, 0}, {2, 2, 10}, {3, 20, 0}},
			"0≤1.5(0,0.9090909090909091)", 2.181818},
		{"the last bin may hold fewer", Params{}, []group{{1, 3, 10}, {2, 3, 10}, {3, 2, 0}}, "0≤2.5m(10,0)", 150},

		{"a category of nine rows is rare", with(func(o *Params) { o.CategorySmooth = 10 }), rare(9),
			"0∈[1 2 3](0,0.6976744186046512)", 30.260577},
		{"one of ten rows is not", with(func(o *Params) { o.CategorySmooth = 10 }), rare(10), "0∈[9](10,0)", 960},
		{"few categories are never rare", with(func(o *Params) { o.CategorySmooth = 10 }),
			[]group{{1, 40, 0}, {2, 40, 0}, {9, 9, 10}}, "0∈[9](10,0)", 808.988764},

		{"half of the categories go left", categories, []group{{1, 20, 9}, {2, 20, 0}, {3, 20, 9}, {4, 20, 0},
			{5, 20, 9}, {6, 20, 0}}, "0∈[1 3 5](9,0)", 2430},
		{"half of them is rounded up", categories, []group{{1, 20, 9}, {2, 20, 0}, {3, 20, 9}, {4, 20, 0},
			{5, 20, 9}}, "0∈[1 3 5](9,0)", 1944},
		{"the highest means go left, too", categories, six(0), "0∈[6](100,0.3333333333333333)", 170287.619},
		{"but not the five others of six", categories, six(100), "0∈[6](100,17)", 118097.142857},
		{"nor all categories", categories, []group{{1, 20, 0}, {2, 20, 0}, {3, 20, 0}, {nan, 20, 10}},
			"0∈[1](0,3.3333333333333335)", 166.666667},

		// LightGBM 4.6.0 also counts a bin for missing values, so it tries at most three alone.
		{"four categories are tried alone", with(func(o *Params) { o.CategoryL2 = 1000 }),
			[]group{{1, 20, 1}, {2, 20, 4}, {3, 20, 9}, {4, 20, 16}}, "0∈[4](16,4.666666666666667)", 1926.666667},
		// LightGBM 4.6.0 and XGBoost 3.1.1 store 1000.
		{"gains are less MinGain", Params{MinGain: 100}, []group{{1, 20, 0}, {2, 20, 10}}, "0≤1.5m(0,10)", 900},
	} {
		t.Run(c.name, func(t *testing.T) {
			var rows [][]float32
			var grad, hess []int64
			for _, g := range c.groups {
				for range g.rows {
					rows, grad, hess = append(rows, []float32{g.value}), append(grad, -g.label), append(hess, 1)
				}
			}
			o := c.o
			o.Leaves, o.MinRows, o.MinHessian, o.LearningRate = 2, 1, -1, 1
			tree, _ := growOn(t, o, synth.Table(rows...), 1, grad, hess)
			if got := show(tree, 0); got != c.want || !(math.Abs(tree.Gain[0]-c.gain) <= 1e-6*c.gain) {
				t.Errorf("%s with a gain of %v, want %s with %v", got, tree.Gain, c.want, c.gain)
			}
		})
	}
}

// show writes a tree as feature≤threshold(left,right), with m where missing values go left.
func show(t *Tree, node int32) string {
	if len(t.Feature) == 0 {
		node = ^0
	}
	if node < 0 {
		return fmt.Sprint(t.Leaf[^node])
	}
	s := fmt.Sprintf("%d≤%v", t.Feature[node], t.Threshold[node])
	if t.Categories != nil && t.Categories[node] != nil {
		var in []int
		for v := range 32 * len(t.Categories[node]) {
			if t.Categories[node][v/32]>>(v%32)&1 != 0 {
				in = append(in, v)
			}
		}
		s = fmt.Sprintf("%d∈%v", t.Feature[node], in)
	}
	if t.MissingLeft[node] {
		s += "m"
	}
	if t.ZeroMissing[node] {
		s += "z"
	}
	return s + "(" + show(t, t.Left[node]) + "," + show(t, t.Right[node]) + ")"
}

// goesLeft reports whether a split sends the value left.
func (t *Tree) goesLeft(node int32, v float32) bool {
	switch {
	case v != v || v == 0 && t.ZeroMissing[node]:
		return t.MissingLeft[node]
	case t.Categories != nil && t.Categories[node] != nil:
		set := t.Categories[node]
		return int(v) < 32*len(set) && set[int(v)/32]>>(int(v)%32)&1 != 0
	}
	return v <= t.Threshold[node]
}

// A reference grows nothing: it tries every split of every node of a grown tree on the rows
// themselves, and says whether the one that was made is as good as the best, and the values of
// leaves are right.
type reference struct {
	o          *Params
	d          *rank.Dataset
	b          *Bins
	g          *Grower // for what nodes draw
	t          *testing.T
	grad, hess []int64
	coarse     bool // splits were chosen by coarse sums, and need not be the best
}

// sums returns the sums of the rows that keep accepts.
func (r *reference) sums(rows []int, keep func(row int) bool) (g, h float64, n int) {
	for _, i := range rows {
		if keep(i) {
			g, h, n = g+float64(r.grad[i]), h+float64(r.hess[i]), n+1
		}
	}
	return g, h, n
}

// A nodeState is what a node of the tree has from those above it.
type nodeState struct {
	key            uint64
	above          []int
	depth          int
	parent, lo, hi float64 // value of the parent, and bounds of its own
	parentRows     float64 // those of the parent, per unit of its Hessian; 0 for the root
	l2             float64
}

// value returns what a node with these sums is worth: the best value, limited, drawn to the
// parent's, and bounded.
func (r *reference) value(g, h float64, s nodeState) float64 {
	v := -math.Copysign(max(math.Abs(g)-r.o.L1, 0), g) / (h + s.l2)
	if m := r.o.MaxDeltaStep; m > 0 {
		v = min(max(v, -m), m)
	}
	if p := r.o.PathSmooth; p > 0 && s.parentRows > 0 {
		n := s.parentRows * h
		v = (n*v + p*s.parent) / (n + p)
	}
	return min(max(v, s.lo), s.hi)
}

// gain returns what a value lowers the loss by, doubled.
func (r *reference) gain(g, h, v, l2 float64) float64 {
	return -2*math.Copysign(max(math.Abs(g)-r.o.L1, 0), g)*v - (h+l2)*v*v
}

// may reports whether a node may be split by feature f, by the sets of features.
func (r *reference) may(f int, s nodeState) bool {
	if len(r.o.Interactions) == 0 || slices.Contains(s.above, f) {
		return true
	}
	for _, set := range r.o.Interactions {
		all := slices.Contains(set, f)
		for _, a := range s.above {
			all = all && slices.Contains(set, a)
		}
		if all {
			return true
		}
	}
	return false
}

// sides returns the states of two children of a node with that value.
func (r *reference) sides(s nodeState, value float64, rows int, hess float64, f int, l2 float64) (l, right nodeState) {
	s.parent, s.parentRows, s.depth, s.l2 = value, float64(rows)/hess, s.depth+1, l2
	s.above = append(slices.Clone(s.above), f)
	l, right = s, s
	l.key, right.key = num.Mix(s.key+1), num.Mix(s.key+2)
	return l, right
}

// best returns the highest gain of a split of rows, not more than 0 when there is none.
func (r *reference) best(rows []int, s nodeState, value float64) float64 {
	all, allH, _ := r.sums(rows, func(int) bool { return true })
	best := math.Inf(-1)
	least := max(r.o.MinHessian, 1)
	if r.o.MinRows > 1 {
		least = max(least, math.Ceil((float64(r.o.MinRows)-.5)*allH/float64(len(rows))))
	}
	own, _ := r.sides(s, value, len(rows), allH, 0, r.o.L2) // smoothed once more, as LightGBM does
	base := r.gain(all, allH, r.value(all, allH, own), r.o.L2)
	leaf := &leaf{key: s.key}
	for _, f := range s.above {
		leaf.above = append(leaf.above, int32(f))
	}
	drawn := r.g.allowed(leaf)
	for f := range r.b.features {
		if drawn != nil && !drawn[f] {
			continue
		}
		if !r.may(f, s) {
			r.t.Errorf("feature %d is allowed below %v", f, s.above)
		}
		try := func(l2 float64, ordered bool, left func(row int) bool) {
			g, h, _ := r.sums(rows, left)
			if h < least || allH-h < least {
				return
			}
			a, b := r.sides(s, value, len(rows), allH, f, l2)
			va, vb := r.value(g, h, a), r.value(all-g, allH-h, b)
			if order := float64(r.g.order(int32(f))); ordered && order*va > order*vb {
				return
			}
			best = max(best, r.gain(g, h, va, l2)+r.gain(all-g, allH-h, vb, l2)-base-r.o.MinGain)
		}
		at := func(row int) float32 { return r.d.Row(row)[f] }
		c := r.b.feature[f].Categories
		only := r.g.drawnOf(leaf, int32(f), r.b.feature[f].Bins-1)
		for i, bound := range r.b.feature[f].Bounds {
			if only < 0 || i == only {
				ordered := !math.IsInf(float64(bound), 1) // else it separates missing values from all others
				try(r.o.L2, ordered, func(row int) bool { return at(row) <= bound })
				try(r.o.L2, ordered, func(row int) bool { return !(at(row) > bound) })
			}
		}
		if len(c) <= r.o.OneHot {
			only := r.g.drawnOf(leaf, int32(f), len(c))
			for i, v := range c {
				if only < 0 || i == only {
					try(r.o.L2, false, func(row int) bool { return at(row) == float32(v) })
				}
			}
			continue
		}
		// All sets, but for those of more than half of the categories.
		for set := range 1 << len(c) {
			if n := bitsSet(set); n > 0 && n <= (len(c)+1)/2 {
				try(r.o.L2+r.o.CategoryL2, false, func(row int) bool {
					i := slices.Index(c, int32(at(row)))
					return at(row) == at(row) && i >= 0 && set>>i&1 != 0
				})
			}
		}
	}
	return best
}

func bitsSet(set int) (n int) {
	for ; set != 0; set &= set - 1 {
		n++
	}
	return n
}

// median returns the lower median of a feature.
func (r *reference) median(f int) float32 {
	var values []float32
	for i := range r.d.Rows() {
		if v := r.d.Row(i)[f]; v == v {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return values[(len(values)-1)/2]
}

// check follows the rows through the tree.
func (r *reference) check(tree *Tree, node int32, rows []int, s nodeState) {
	t := r.t
	t.Helper()
	if len(tree.Feature) == 0 {
		node = ^0
	}
	all, allH, _ := r.sums(rows, func(int) bool { return true })
	value := r.value(all, allH, s)
	splittable := len(rows) >= max(2*r.o.MinRows, 2) && (r.o.Depth == 0 || s.depth < r.o.Depth)
	if node < 0 {
		if tree.LeafCount[^node] != int64(len(rows)) {
			t.Errorf("leaf %d counts %d rows of %d", ^node, tree.LeafCount[^node], len(rows))
		}
		if got := tree.Leaf[^node]; math.Abs(got-value) > 1e-12*(1+math.Abs(value)) {
			t.Errorf("leaf %d has the value %v, want %v", ^node, got, value)
		}
		if got := tree.LeafWeight[^node]; got != allH {
			t.Errorf("leaf %d has the weight %v, want %v", ^node, got, allH)
		}
		if len(tree.Leaf) < r.o.Leaves && splittable && !r.coarse {
			if best := r.best(rows, s, value); best > 1e-9 {
				t.Errorf("leaf %d could be split with a gain of %v", ^node, best)
			}
		}
		return
	}
	if tree.Weight[node] != allH {
		t.Errorf("split %d has the weight %v, want %v", node, tree.Weight[node], allH)
	}
	if best := r.best(rows, s, value); !r.coarse &&
		(!splittable || math.Abs(tree.Gain[node]-best) > 1e-9*(1+math.Abs(best))) {
		t.Errorf("split %d gains %v, the best split %v", node, tree.Gain[node], best)
	}
	if tree.Count[node] != int64(len(rows)) {
		t.Errorf("split %d counts %d rows of %d", node, tree.Count[node], len(rows))
	}
	f := int(tree.Feature[node])
	missing := func(row int) bool { return r.d.Row(row)[f] != r.d.Row(row)[f] }
	if c := r.b.feature[f].Categories; c == nil && !slices.ContainsFunc(rows, missing) &&
		tree.MissingLeft[node] != (r.median(f) <= tree.Threshold[node]) {
		t.Errorf("split %d, feature %d ≤ %v: MissingLeft %t, median %v", node, f, tree.Threshold[node],
			tree.MissingLeft[node], r.median(f))
	}
	var left, right []int
	for _, i := range rows {
		if tree.goesLeft(node, r.d.Row(i)[f]) {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	l2 := r.o.L2
	if len(r.b.feature[f].Categories) > r.o.OneHot {
		l2 += r.o.CategoryL2
	}
	a, b := r.sides(s, value, len(rows), allH, f, l2)
	if order := r.g.order(int32(f)); order != 0 && !math.IsInf(float64(tree.Threshold[node]), 1) {
		g, h, _ := r.sums(left, func(int) bool { return true })
		middle := (r.value(g, h, a) + r.value(all-g, allH-h, b)) / 2
		if order > 0 {
			a.hi, b.lo = middle, middle
		} else {
			a.lo, b.hi = middle, middle
		}
	}
	r.check(tree, tree.Left[node], left, a)
	r.check(tree, tree.Right[node], right, b)
}

func TestGrowBest(t *testing.T) {
	categories := BinOptions{Categorical: []int{0, 2}}
	for _, c := range []struct {
		name string
		o    Params
		kind string
	}{
		{"leaves", Params{Leaves: 8, MinRows: 2}, "number"},
		{"levels", Params{DepthWise: true, Depth: 3, MinRows: 2}, "number"},
		{"depth", Params{Depth: 2, MinRows: 1}, "missing"},
		{"penalties", Params{L1: 20, L2: 5, MinGain: 3, MinHessian: 12}, "missing"},
		{"few bins", Params{BinOptions: BinOptions{MaxBins: 5}, MinRows: 3}, "missing"},
		{"categories one by one", Params{BinOptions: categories, OneHot: 8, MinRows: 2}, "category"},
		// The order of mean gradients finds the best of all sets when no category is pulled to the
		// middle.
		{"sets of categories", Params{BinOptions: categories, OneHot: 1, MinRows: 1, MinHessian: -1,
			CategorySmooth: -1, CategoryL2: -1, CategoryRows: 1}, "category"},
		{"extra trees", Params{ExtraTrees: true, MinRows: 2, Seed: 1}, "missing"},
		{"extra trees, one category", Params{ExtraTrees: true, BinOptions: categories, OneHot: 8, MinRows: 2,
			MaxDeltaStep: 9, PathSmooth: 3}, "category"},
		{"extra trees, monotone", Params{ExtraTrees: true, Monotone: []int8{1, -1}, MinRows: 1, Seed: 2}, "number"},
		{"features of nodes", Params{NodeFeatureFraction: .5, MinRows: 2, Seed: 3}, "missing"},
		{"interactions", Params{Interactions: [][]int{{0, 1}, {1, 2}}, MinRows: 1}, "missing"},
		{"interactions of some", Params{Interactions: [][]int{{0}, {2}}, NodeFeatureFraction: .4, DepthWise: true,
			Depth: 4, MinRows: 1}, "number"},
		{"steps", Params{MaxDeltaStep: 7, L2: 1, MinRows: 1}, "missing"},
		{"steps, monotone", Params{MaxDeltaStep: 9, Monotone: []int8{1, 0, -1}, L1: 2, MinRows: 1}, "number"},
		{"smooth", Params{PathSmooth: 5, MinRows: 1}, "missing"},
		{"smooth steps, monotone", Params{PathSmooth: 2, MaxDeltaStep: 12, Monotone: []int8{-1, 1}, L1: 1, L2: 2,
			DepthWise: true, Depth: 4, MinRows: 1}, "missing"},
		{"monotone, missing", Params{Monotone: []int8{1, -1}, MinRows: 1}, "missing"},
		{"extra trees, monotone, missing", Params{ExtraTrees: true, Monotone: []int8{1, -1, 1}, MinRows: 1, Seed: 5},
			"missing"},
		{"smooth categories", Params{PathSmooth: 2, BinOptions: categories, OneHot: 8, MinRows: 2}, "category"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(12) {
				rnd := rand.New(rand.NewPCG(seed, 7))
				rows := 20 + rnd.IntN(40)
				d := rank.NewDataset(rows, 3)
				d.Offsets, d.QueryIDs = []int{0, rows}, []string{"q"}
				r := reference{d: d, grad: make([]int64, rows), hess: make([]int64, rows)}
				all := make([]int, rows)
				for i := range rows {
					all[i] = i
					for f := range d.Row(i) {
						switch v := rnd.IntN(30); {
						case c.kind == "category" && f != 1:
							d.Row(i)[f] = float32(v % 5)
						case c.kind == "missing" && v%5 == 0:
							d.Row(i)[f] = nan
						default:
							d.Row(i)[f] = float32(v)
						}
					}
					r.grad[i], r.hess[i] = int64(rnd.IntN(201))-100, 1+int64(rnd.IntN(9))
					if c.kind == "category" {
						r.hess[i] = 4
					}
				}
				o := c.o
				o.LearningRate = 1
				r.coarse = seed%4 == 3
				tree, g := growOn(t, o, d, 1+int(seed%3), r.grad, r.hess, func(g *Grower) {
					if r.coarse {
						g.unit = Units{1. / 16, 1. / 4}
					}
				})
				r.o, r.b, r.g = g.o, g.b, g
				t.Run(fmt.Sprint(c.name, seed), func(t *testing.T) {
					r.t = t
					r.check(tree, 0, all, nodeState{key: g.key, lo: math.Inf(-1), hi: math.Inf(1), l2: g.o.L2})
				})
				if len(g.leaves) > g.o.Leaves {
					t.Errorf("%d leaves, at most %d were asked for", len(g.leaves), g.o.Leaves)
				}
			}
		})
	}
}

// Leaves that had to give up their histograms are split alike.
func TestGrowWithoutHistograms(t *testing.T) {
	d := synth.Ranking(60, 8, 1)
	grad, hess := make([]int64, d.Rows()), make([]int64, d.Rows())
	for i, y := range d.Labels {
		grad[i], hess[i] = 10-int64(10*y), 5
	}
	want, _ := growOn(t, Params{MinRows: 3}, d, 1, grad, hess)
	got, g := growOn(t, Params{MinRows: 3}, d, 1, grad, hess, func(g *Grower) { g.keep = 0 })
	if !reflect.DeepEqual(got, want) {
		t.Error("the trees differ")
	}
	if most := int64(2 * 8 * 8 * trees.HistogramCells); g.held > most {
		t.Errorf("%d bytes of histograms, want at most %d", g.held, most)
	}
}

// Leaves that no split is left for give up their histograms, and no other ones.
func TestGrowReleases(t *testing.T) {
	d := synth.Ranking(60, 8, 1)
	grad, hess := make([]int64, d.Rows()), make([]int64, d.Rows())
	for i, y := range d.Labels {
		grad[i], hess[i] = 10-int64(10*y), 5
	}
	tree, g := growOn(t, Params{Leaves: 31, MinRows: 1}, d, 1, grad, hess)
	if len(tree.Leaf) != 31 {
		t.Fatalf("%d leaves, want 31", len(tree.Leaf))
	}
	if most := int64(16 * 8 * 8 * trees.HistogramCells); g.held != most {
		t.Errorf("%d bytes of histograms, want %d: those of 16 leaves", g.held, most)
	}
	g.o.Leaves, g.leaves = 8, g.leaves[:6]
	for i, gain := range []float64{3, 5, 1, 5, 0, 5} {
		g.leaves[i].best.gain, g.leaves[i].hist = gain, make([]int64, 1)
	}
	g.releaseRest() // two of those that gain 5 will be split
	for i := range g.leaves {
		if l := &g.leaves[i]; (l.hist != nil) != (l.best.gain == 5) {
			t.Errorf("leaf %d of gain %v has %d cells of a histogram", i, l.best.gain, len(l.hist))
		}
	}
}
