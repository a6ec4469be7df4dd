package rank

import "gonum.org/v1/gonum/mat"

// A PairwiseOption changes what [PairwiseTransform] returns.
type PairwiseOption func(*pairwiseOptions)

type pairwiseOptions struct{ balanced bool }

// Balanced makes the signs of [PairwiseTransform] alternate, +1, −1, +1, …: pair k
// is turned around (difference and sign) when its sign is not (−1)ᵏ. A linear
// classifier then sees two classes of equal size; its objective without an
// intercept is the same.
func Balanced() PairwiseOption { return func(o *pairwiseOptions) { o.balanced = true } }

// PairwiseTransform writes out the pairwise transform that turns ranking into binary classification
// (Herbrich, Graepel, Obermayer 1999): for every two documents i < j of one query with different
// labels, in order of the query, i and j, a row xᵢ−xⱼ of x and the sign of yᵢ−yⱼ, +1 or −1, in y.
//
// It takes 8·Cols bytes per pair and is for teaching, for small data and for
// checking: [RankSVM] reaches the same optimum without the pairs. A dataset
// without pairs gives an empty matrix. As [Concat] it has no error to return when a mapped file is
// cut meanwhile.
func PairwiseTransform(d *Dataset, opts ...PairwiseOption) (x *mat.Dense, y []float64) {
	var o pairwiseOptions
	for _, opt := range opts {
		opt(&o)
	}
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
				if o.balanced && (sign > 0) != (len(y)%2 == 0) {
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
