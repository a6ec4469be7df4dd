package ranksvm

import (
	"cmp"

	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/kernels"
)

// A Loss is the loss of a pair.
type Loss int

const (
	SquaredHinge Loss = iota // max(0, 1−z)²
	Hinge                    // max(0, 1−z)
	Logistic                 // ln(1+exp(−z))
)

// LossWords are the names of the losses.
var LossWords = []string{SquaredHinge: "squared-hinge", Hinge: "hinge", Logistic: "logistic"}

// ParseLoss returns the loss with the given name, or SquaredHinge for "".
func ParseLoss(word string) (Loss, error) {
	return text.ParseEnum[Loss]("rank", "loss", LossWords, cmp.Or(word, LossWords[SquaredHinge]))
}

// A pairLoss is a convex loss of the score difference z = zᵢ−zⱼ of a pair, where i has the higher
// label.
type pairLoss struct {
	kind Loss
	// width is the width of the zone around z = 1 in which the corner of the hinge is rounded.
	// Outside of it the loss is the hinge itself. The rounded hinge is
	//	max over 0 ≤ a ≤ 1 of a·(1−z) + ½·width·a·(1−a).
	width float64
	// If margin is above 0, the Hessian leaves out all pairs whose second derivative may change
	// when z changes by up to margin. For the hinge, margin is a fraction of width.
	margin float64
}

// weightIn returns the weight of the pairs of a unit in the Hessian.
func (pl pairLoss) weightIn(u *unit) float64 {
	if pl.margin > 0 {
		return u.full
	}
	return u.weight
}

// shrink returns the divisor s of the scores and the width to use with them. The zone of the kernel
// begins at z = 1, but the zone of a pairLoss begins half a width earlier: its loss is s·h(width/s,
// z/s), where h is the loss of the kernel and s = 1 + width/2.
func (pl pairLoss) shrink() (s, width float64) {
	s = 1 + float64(pl.width/2)
	return s, pl.width / s
}

// eval returns the loss of a unit at the scores z and sets c to the derivatives. It may change z by
// rounding errors.
func (pl pairLoss) eval(work *kernels.Work, u *unit, z, c []float64) float64 {
	if u.list != nil {
		return pl.evalList(u, z, c)
	}
	q := kernels.PairQuery{Scores: z, Lower: u.lower, Gain: u.gain, Better: u.better, Weight: u.weight}
	switch pl.kind {
	case SquaredHinge:
		return kernels.PairSquaredHinge(c, q, work)
	case Logistic:
		return kernels.PairLogistic(c, q, 1, work)
	}
	s, width := pl.shrink()
	for i := range z {
		z[i] /= s
	}
	l := float64(s * kernels.PairHuberHinge(c, q, width, work))
	for i := range z {
		z[i] *= s
	}
	return l
}

// secondAtZero returns the second derivative for equal scores.
func (pl pairLoss) secondAtZero() float64 {
	switch {
	case pl.kind == SquaredHinge:
		return 2
	case pl.kind == Logistic:
		return 0.25
	case pl.core() > 2:
		return 1 / pl.width
	}
	return 0
}

// core returns the width of the zone without the margin at both ends.
func (pl pairLoss) core() float64 { return pl.width * (1 - 2*pl.margin) }

// laplacian sets l (n×n) to the Laplacian of the graph whose edges are the pairs, weighted by the
// second derivative of their loss. It reports whether any of the weights is nonzero. It changes z.
func (pl pairLoss) laplacian(l []float64, u *unit, z []float64) bool {
	if u.list != nil {
		return pl.laplacianList(l, u, z)
	}
	q := kernels.PairQuery{Scores: z, Lower: u.lower, Gain: u.gain, Better: u.better, Weight: pl.weightIn(u)}
	switch pl.kind {
	case SquaredHinge:
		if pl.margin > 0 { // only pairs with 1−z > margin count
			for i := range z {
				z[i] /= 1 - pl.margin
			}
		}
		return kernels.PairSquaredHingeLaplacian(l, q)
	case Logistic:
		return kernels.PairLogisticLaplacian(l, q, 1)
	}
	core := pairLoss{kind: Hinge, width: pl.core()}
	s, width := core.shrink()
	for i := range z {
		z[i] /= s
	}
	q.Weight = q.Weight / s * (core.width / pl.width)
	return kernels.PairHuberHingeLaplacian(l, q, width)
}
