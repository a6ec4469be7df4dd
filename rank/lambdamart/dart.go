package lambdamart

import (
	"context"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/num"
)

// A dart implements LightGBM's boosting=dart (Rashmi and Gilad-Bachrach 2015). For each new tree, k
// earlier trees of this training are dropped: the new tree is fitted to scores without their
// values. Then the new tree gets the learning rate η/(k+1), and the values of the k trees are
// multiplied by k/(k+1). With XGBoostDart, the factors are η/(k+η) and k/(k+η) if k is positive.
//
// A dart stores the leaf of each row in each tree. Therefore, it drops or adds a tree by table
// lookups. All values are multiples of a unit, a power of two that is small compared with the
// values of the first tree. Sums are therefore exact, and subtracting a tree leaves no rounding
// error. Documents that the remaining trees do not distinguish get equal scores.
type dart struct {
	o       *Trainer
	first   int       // index of this training's first tree in the model
	weights []float64 // weight of each tree, as a fraction of a full step, unless UniformDrop is set
	sum     float64   // sum of the weights
	unit    float64   // unit of all values; 0 before the first tree with a split

	dropped []int       // trees dropped for the current tree, numbered from first
	changed []int       // the dropped trees, and the new tree once it has been grown
	was     [][]float64 // negated values of the dropped trees
	is      [][]float64 // new values of the changed trees
	rows    leafTables  // leaves of the training rows
}

// leafTables contains the leaf of each row of a dataset in each tree. A leaf is stored in a byte
// or, if the tree has too many leaves, in a 32-bit word. The values of the trees are summed
// separately from the scores before the first tree, because adding them to large scores would round
// them.
type leafTables struct {
	start []float64 // scores before the first tree
	sums  []float64 // sums of the values of the trees that are not dropped
	small [][]uint8 // one table per tree; nil if the tree uses large
	large [][]uint32
}

func newLeafTables(start []float64) leafTables {
	return leafTables{start: slices.Clone(start), sums: make([]float64, len(start))}
}

// grow allocates the table of the next tree.
func (l *leafTables) grow(rows, leaves int) {
	var small []uint8
	var large []uint32
	if leaves <= 1<<8 {
		small = make([]uint8, rows)
	} else {
		large = make([]uint32, rows)
	}
	l.small, l.large = append(l.small, small), append(l.large, large)
}

// set records the leaf of a row in the last tree.
func (l *leafTables) set(row, leaf int) {
	if small := l.small[len(l.small)-1]; small != nil {
		small[row] = uint8(leaf)
	} else {
		l.large[len(l.large)-1][row] = uint32(leaf)
	}
}

// add adds the leaf values of a tree to the sums of rows lo to hi.
func (l *leafTables) add(tree int, values []float64, lo, hi int) {
	if small := l.small[tree]; small != nil {
		addLeaves(l.sums[lo:hi], small[lo:hi], values)
	} else {
		addLeaves(l.sums[lo:hi], l.large[tree][lo:hi], values)
	}
}

// score sets the scores of rows lo to hi from the sums.
func (l *leafTables) score(scores []float64, lo, hi int) {
	for i := lo; i < hi; i++ {
		scores[i] = l.start[i] + l.sums[i]
	}
}

func addLeaves[T uint8 | uint32](scores []float64, leaves []T, values []float64) {
	leaves = leaves[:len(scores)]
	for i := range scores {
		scores[i] += values[leaves[i]]
	}
}

// bytes returns the memory size of the tables.
func (l *leafTables) bytes() int64 {
	n := int64(8 * (len(l.start) + len(l.sums)))
	for i := range l.small {
		n += int64(len(l.small[i]) + 4*len(l.large[i]))
	}
	return n
}

// drop selects the trees that are dropped for the next tree. number is the index of the next tree
// in the model.
func (d *dart) drop(number int) {
	d.dropped = d.dropped[:0]
	stream := num.SplitMix(num.Mix(boost.TreeKey(d.o.Seed, number) + 4))
	n := number - d.first
	if n == 0 || stream.Float64() < d.o.SkipDrop {
		return
	}
	rate, most := d.o.DropRate, d.o.MaxDrop
	scale := 1.0
	if !d.o.UniformDrop {
		scale = float64(n) / d.sum
	}
	if most > 0 {
		limit := float64(most) / float64(n)
		if !d.o.UniformDrop {
			limit = float64(float64(most)*scale) / d.sum
		}
		rate = min(rate, limit)
	}
	for i := range n {
		if most > 0 && len(d.dropped) == most {
			return
		}
		p := rate
		if !d.o.UniformDrop {
			p = float64(float64(rate*d.weights[i]) * scale)
		}
		if stream.Float64() < p {
			d.dropped = append(d.dropped, i)
		}
	}
}

// begin prepares the growth of a tree. It drops trees, subtracts their values from the scores of
// the training rows, and sets the learning rate.
func (d *dart) begin(tr *training) {
	d.drop(len(tr.model.Trees))
	d.changed, d.was, d.is = d.dropped, d.was[:0], d.is[:0]
	for _, i := range d.dropped {
		minus := make([]float64, len(tr.model.Trees[d.first+i].Leaf))
		for k, v := range tr.model.Trees[d.first+i].Leaf {
			minus[k] = -v
		}
		d.was = append(d.was, minus)
	}
	k := float64(len(d.dropped))
	tr.grower.Rate = d.o.LearningRate / (k + 1)
	if d.o.XGBoostDart && k > 0 {
		tr.grower.Rate = d.o.LearningRate / (k + d.o.LearningRate)
	}
	d.update(tr, d.was)
}

// unitBits determines the unit: the largest value of the first tree has this number of bits in
// addition to its highest bit. A sum may be 2¹⁶ times as large as this value and remain exact.
const unitBits = 36

// round rounds the values of a new tree to multiples of the unit. It first sets the unit if the
// tree is the first one with a split.
func (d *dart) round(values []float64) {
	if d.unit == 0 {
		largest := 0.0
		for _, v := range values {
			largest = max(largest, math.Abs(v))
		}
		if largest == 0 {
			return
		}
		d.unit = math.Ldexp(1, max(math.Ilogb(largest)-unitBits, -1000))
	}
	d.multiples(values)
}

// multiples rounds values to multiples of the unit. It skips values that are so large that their
// sums would not be exact.
func (d *dart) multiples(values []float64) {
	for i, v := range values {
		if n := v / d.unit; math.Abs(n) < 1<<52 {
			values[i] = math.RoundToEven(n) * d.unit
		}
	}
}

// end sets the new values of the dropped trees, and adds these values and the values of the new
// tree to the scores of the training rows. A new tree without splits does not reduce the loss, so
// the dropped trees then keep their values.
func (d *dart) end(tr *training, t *Tree) {
	k := float64(len(d.dropped))
	share := k / (k + 1)
	if d.o.XGBoostDart && k > 0 {
		share = k / (k + d.o.LearningRate)
	}
	for _, i := range d.dropped {
		values := tr.model.Trees[d.first+i].Leaf
		if len(t.Feature) > 0 {
			for l := range values {
				values[l] *= share
			}
			d.multiples(values)
			if !d.o.UniformDrop {
				d.sum -= float64(d.weights[i] * (1 - share))
				d.weights[i] *= share
			}
		}
		d.is = append(d.is, values)
	}
	if !d.o.UniformDrop {
		d.weights = append(d.weights, tr.grower.Rate)
		d.sum += tr.grower.Rate
	}
	d.changed, d.is = append(d.dropped, len(tr.model.Trees)-d.first), append(d.is, t.Leaf)
	d.update(tr, d.is)
}

// update adds the given values of the changed trees to the scores of the training rows.
func (d *dart) update(tr *training, values [][]float64) {
	if len(values) == 0 {
		return
	}
	rows := len(tr.scores)
	// Ignore cancellation, which could leave only some of the scores updated.
	tr.team.For(context.Background(), (rows+boost.RowTask-1)/boost.RowTask, func(_, task int) {
		lo, hi := task*boost.RowTask, min((task+1)*boost.RowTask, rows)
		d.add(&d.rows, values, lo, hi)
		d.rows.score(tr.scores, lo, hi)
	})
}

// add adds the given values of the changed trees to the sums of rows lo to hi.
func (d *dart) add(rows *leafTables, values [][]float64, lo, hi int) {
	for k, v := range values {
		rows.add(d.changed[k], v, lo, hi)
	}
}
