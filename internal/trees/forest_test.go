package trees

import (
	"math"
	"testing"
)

// randomForest draws trees in the form of ForestAddF64: leaves lists the number of leaves of each.
func randomForest(d *draw, features int, trees []int) (nodes, words []uint32, leaves []float64) {
	for _, n := range trees {
		type split struct{ first, middle, end int } // the leaves below its children
		var splits []split
		var grow func(lo, hi int)
		grow = func(lo, hi int) {
			if hi-lo > 1 {
				m := lo + 1 + d.IntN(hi-lo-1)
				splits = append(splits, split{lo, m, hi})
				grow(lo, m)
				grow(m, hi)
			}
		}
		grow(0, n)
		feature := make([]uint32, len(splits))
		limit := make([]int32, len(splits))
		for i := range splits {
			feature[i], limit[i] = uint32(d.IntN(features)), ForestKey(d.F32())
			if d.IntN(20) == 0 {
				limit[i] = []int32{math.MinInt32, math.MaxInt32, 0}[d.IntN(3)]
			}
		}
		for lo := 0; lo < n; lo += 32 {
			word := uint32(0)
			if lo == 0 {
				word = ForestFirst
			}
			for i, s := range splits {
				keep := ^uint32(0)
				for l := max(s.first, lo); l < min(s.middle, lo+32); l++ {
					keep &^= 1 << (l - lo)
				}
				if keep != ^uint32(0) {
					nodes = append(nodes, feature[i]*ForestRows, uint32(limit[i]), keep)
					word++
				}
			}
			words = append(words, word)
			for range 32 {
				leaves = append(leaves, d.NormFloat64())
			}
		}
	}
	return nodes, words, leaves
}

var _ = register(
	entry{
		Name: "ForestKeysF32",
		Args: func(d *draw, n int) []any {
			rows, cols := n%(ForestRows+1), n/3
			stride := cols + d.IntN(20)
			x := d.F32s(max((rows-1)*stride+cols, 0))
			if cols == 0 {
				x = nil
			}
			return []any{make([]int32, cols*ForestRows), x, rows, cols, stride, make([]bool, 1)}
		},
		Call: func(a []any) {
			a[5].([]bool)[0] = ForestKeysF32(a[0].([]int32), a[1].([]float32), a[2].(int), a[3].(int), a[4].(int))
		},
		Spec: func(a []any) {
			dst, x, rows, cols, stride := a[0].([]int32), a[1].([]float32), a[2].(int), a[3].(int), a[4].(int)
			for i := range ForestRows {
				for j := range cols {
					dst[j*ForestRows+i] = 0
					if i < rows {
						dst[j*ForestRows+i] = ForestKey(x[i*stride+j])
						a[5].([]bool)[0] = a[5].([]bool)[0] || x[i*stride+j] != x[i*stride+j]
					}
				}
			}
		},
		Lengths: []int{0, 1, 2, 3, 7, 12, 15, 31, 32, 33, 46, 47, 48, 49, 50, 63, 64, 65, 95, 97, 131, 132, 137, 142,
			164, 190, 400, 441},
		Long:   []int{3000},
		Writes: []int{0, 5},
	},
	entry{
		Name: "ForestAddF64",
		Args: func(d *draw, n int) []any {
			features := 1 + n%7
			keys := make([]int32, features*ForestRows)
			ForestKeysF32(keys, d.F32s(ForestRows*features), ForestRows, features, features)
			var trees []int
			for range n % 10 {
				trees = append(trees, 1+n/10)
				if d.IntN(2) == 0 {
					trees = append(trees, 1+d.IntN(40))
				}
			}
			nodes, words, leaves := randomForest(d, features, trees)
			scores := d.F64s(ForestRows)
			scores[0] = math.Copysign(0, -1)
			return []any{scores, keys, nodes, words, leaves}
		},
		Call: func(a []any) {
			ForestAddF64(a[0].([]float64), a[1].([]int32), a[2].([]uint32), a[3].([]uint32), a[4].([]float64))
		},
		Spec: func(a []any) {
			scores, keys, nodes, words, leaves := a[0].([]float64), a[1].([]int32), a[2].([]uint32), a[3].([]uint32),
				a[4].([]float64)
			for i := range scores {
				at, found := 0, false
				for w, word := range words {
					found = found && word < ForestFirst
					set := ^uint32(0)
					for range word % ForestFirst {
						if keys[int(nodes[at])+i] >= int32(nodes[at+1]) {
							set &= nodes[at+2]
						}
						at += 3
					}
					for b := 0; b < 32 && !found; b++ {
						if set&(1<<b) != 0 {
							scores[i] += leaves[32*w+b]
							found = true
						}
					}
				}
			}
		},
		Lengths: []int{0, 1, 2, 9, 11, 19, 28, 37, 59, 153, 162, 301, 305, 309, 311, 312, 316, 319, 322, 631, 642, 651,
			988, 1271, 2553},
		Long:   []int{9999},
		Writes: []int{0},
	},
)

func TestForestPanics(t *testing.T) {
	keys, scores := make([]int32, 2*ForestRows), make([]float64, ForestRows)
	leaves := make([]float64, 32)
	for name, f := range map[string]func(){
		"33 rows":           func() { ForestKeysF32(keys, make([]float32, 66), 33, 2, 2) },
		"-1 rows":           func() { ForestKeysF32(keys, nil, -1, 2, 2) },
		"short dst":         func() { ForestKeysF32(keys[1:], make([]float32, 64), 32, 2, 2) },
		"short stride":      func() { ForestKeysF32(keys, make([]float32, 64), 32, 2, 1) },
		"short x":           func() { ForestKeysF32(keys, make([]float32, 64), 32, 2, 3) },
		"31 scores":         func() { ForestAddF64(scores[1:], keys, nil, nil, nil) },
		"leaves of no word": func() { ForestAddF64(scores, keys, nil, nil, leaves) },
		"a split too few": func() {
			ForestAddF64(scores, keys, []uint32{0, 0, 0}, []uint32{ForestFirst + 2},
				leaves)
		},
		"a split too many": func() { ForestAddF64(scores, keys, []uint32{0, 0, 0}, []uint32{ForestFirst}, leaves) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
