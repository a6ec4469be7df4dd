package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// A Change bounds the score differences between two models with the same trees. For example, one
// model may be a copy of the other in a format that cannot store all details.
type Change struct {
	// Leaves is the largest change for any document, caused by different leaf values or a different
	// bias.
	Leaves float64
	// Thresholds is the largest change for documents that go to different sides of a split because
	// the two models have different thresholds.
	Thresholds float64
	// Missing is the largest change for documents with missing values.
	Missing float64

	// Feature, From and To contain an example for Thresholds: a value of Feature above From and at
	// most To can cause such a change.
	Feature  int
	From, To float32
}

// BoundChange returns upper bounds on the score changes if m is replaced with another model. For
// example, the other model may be a copy that was written with [Write] and read with [Read]. It
// returns an error if the models do not have the same trees. Features are matched by name if
// UnknownOrder of the other model is set, and by number otherwise.
func BoundChange(m, other *lambdamart.Model) (Change, error) {
	c := comparison{}
	at := make(map[string]int32, len(m.FeatureNames))
	for j, name := range m.FeatureNames {
		at[name] = int32(j)
	}
	if other.UnknownOrder {
		c.place = make([]int32, other.NumFeatures)
	}
	for j := range c.place {
		var known bool
		if c.place[j], known = at[other.FeatureNames[j]]; !known {
			return Change{}, errs.Errorf("model", "the model has no feature %q", other.FeatureNames[j])
		}
	}
	// Add the bias to the first tree of both models before comparing the trees.
	one, err := biased(m)
	if err != nil {
		return Change{}, err
	}
	two, err := biased(other)
	if err != nil {
		return Change{}, err
	}
	if len(one) != len(two) {
		return Change{}, errs.Errorf("model", "the models have different numbers of trees, %d and %d", len(one),
			len(two))
	}
	for i := range one {
		c.a, c.b = &one[i], &two[i]
		most, err := c.nodes(c.a.root, c.b.root)
		if err != nil {
			return Change{}, errs.Errorf("model", "tree %d: %w", i, err)
		}
		c.total.Leaves += most.Leaves
		c.total.Thresholds += most.Thresholds
		c.total.Missing += most.Missing
	}
	return c.total, nil
}

// A comparison is the state of a comparison of two trees.
type comparison struct {
	a, b  *tree
	place []int32 // position in a of each feature of b; nil if the positions are equal
	total Change
}

// nodes returns the largest changes between the subtrees of node a and node b.
func (c *comparison) nodes(a, b int32) (most Change, err error) {
	if a < 0 != (b < 0) {
		return most, fmt.Errorf("one model has a leaf where the other has a split")
	}
	if a < 0 {
		return Change{Leaves: math.Abs(c.a.Leaf[^a] - c.b.Leaf[^b])}, nil
	}
	place := c.b.Feature[b]
	if c.place != nil {
		place = c.place[place]
	}
	if c.a.Feature[a] != place {
		return most, fmt.Errorf("a split uses feature %d in one model and feature %d in the other", c.a.Feature[a], place)
	}
	left, err := c.nodes(c.a.Left[a], c.b.Left[b])
	if err != nil {
		return most, err
	}
	right, err := c.nodes(c.a.Right[a], c.b.Right[b])
	if err != nil {
		return most, err
	}
	most = Change{Leaves: max(left.Leaves, right.Leaves), Thresholds: max(left.Thresholds, right.Thresholds),
		Missing: max(left.Missing, right.Missing)}
	// apart is the largest score change for a document that goes left in one tree and right in the
	// other.
	apart := func() float64 { return max(c.apart(c.a.Left[a], c.b.Right[b]), c.apart(c.a.Right[a], c.b.Left[b])) }
	if c.a.MissingLeft[a] != c.b.MissingLeft[b] {
		most.Missing = max(most.Missing, apart())
	}
	ta, seta := c.a.test(int(a))
	tb, setb := c.b.test(int(b))
	if zero := c.a.GoesLeft(int(a), 0) != c.b.GoesLeft(int(b), 0); zero || ta != tb || !slices.Equal(seta, setb) {
		by := apart()
		if by > c.total.Thresholds && by > most.Thresholds {
			c.total.Feature, c.total.From, c.total.To = int(c.a.Feature[a]), min(ta, tb), max(ta, tb)
		}
		most.Thresholds = max(most.Thresholds, by)
	}
	return most, nil
}

// test returns the threshold of a split, or its category set without trailing empty words. It
// returns the threshold −∞ for an empty set, which is equivalent. It replaces the threshold ∞ by
// the largest finite number, because no finite value is above either.
func (t *tree) test(s int) (threshold float32, set []uint32) {
	if t.Categories[s] == nil {
		return min(t.Threshold[s], math.MaxFloat32), nil
	}
	set = t.Categories[s]
	for len(set) > 0 && set[len(set)-1] == 0 {
		set = set[:len(set)-1]
	}
	if len(set) == 0 {
		return float32(math.Inf(-1)), nil
	}
	return 0, set
}

// apart returns the largest difference between leaf values below node a of one tree and node b of
// the other.
func (c *comparison) apart(a, b int32) float64 {
	loA, hiA := c.a.span(a)
	loB, hiB := c.b.span(b)
	return max(math.Abs(hiA-loB), math.Abs(hiB-loA))
}

// span returns the minimum and maximum leaf value below a node.
func (t *tree) span(node int32) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for stack := []int32{node}; len(stack) > 0; {
		n := stack[len(stack)-1]
		if stack = stack[:len(stack)-1]; n < 0 {
			lo, hi = min(lo, t.Leaf[^n]), max(hi, t.Leaf[^n])
			continue
		}
		stack = append(stack, t.Left[n], t.Right[n])
	}
	return lo, hi
}
