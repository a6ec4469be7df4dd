package pairwise

import (
	"github.com/simdrank/simdrank/rank"
	"gonum.org/v1/gonum/mat"
)

// Transform returns the pairwise transform, which turns ranking into binary classification
// (Herbrich, Graepel, Obermayer 1999). Each pair of documents i < j of one query with different
// labels is one example. Its row in x is xᵢ−xⱼ, and its class in y is the sign of yᵢ−yⱼ, +1 or −1.
// Pairs are sorted by query, i and j.
//
// It uses 8·Cols bytes per pair; [rank.RankSVM] finds the same optimum without materializing the
// pairs. If there are no pairs, the matrix is empty. Like [rank.Concat], it cannot report that a
// memory-mapped file was truncated by another process.
func Transform(d *rank.Dataset) (x *mat.Dense, y []float64) { return transform(d, false) }

// BalancedTransform is like [Transform] but the signs alternate, +1, −1, +1, …. If the sign of pair
// k is not (−1)ᵏ, it negates the difference and the sign. A linear classifier then sees two classes
// of equal size; its objective without an intercept is the same.
func BalancedTransform(d *rank.Dataset) (x *mat.Dense, y []float64) { return transform(d, true) }

func transform(d *rank.Dataset, balanced bool) (x *mat.Dense, y []float64) {
	var diff []float64
	var xi, xj []float32
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		for i := lo; i < hi; i++ {
			for j := i + 1; j < hi; j++ {
				var sign float64
				switch {
				case d.Labels[i] > d.Labels[j]:
					sign = 1
				case d.Labels[i] < d.Labels[j]:
					sign = -1
				default:
					continue
				}
				xi, xj = d.AppendRow(xi[:0], i), d.AppendRow(xj[:0], j)
				a, b := xi, xj
				if balanced && (sign > 0) != (len(y)%2 == 0) {
					a, b, sign = b, a, -sign
				}
				for k := range a {
					diff = append(diff, float64(a[k])-float64(b[k]))
				}
				y = append(y, sign)
			}
		}
	}
	if len(diff) == 0 {
		return &mat.Dense{}, y
	}
	return mat.NewDense(len(y), d.Cols, diff), y
}
