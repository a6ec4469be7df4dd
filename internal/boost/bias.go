package boost

import "github.com/simdrank/simdrank/internal/num"

// AddLabels adds labels to the mean from which the initial score is computed if the loss is
// pointwise. Query q has the rows offsets[q] to offsets[q+1]−1. The weight of a label is the weight
// of its row times the weight of its query; nil weights are all 1. If binary is set, a label above
// 0 counts as 1 and any other as 0.
func AddLabels(mean *num.ExactMean, binary bool, offsets []int, labels, weights, queryWeights []float64) {
	var values, list []float64
	for q := range len(offsets) - 1 {
		values, list = values[:0], list[:0]
		for i := offsets[q]; i < offsets[q+1]; i++ {
			w := 1.0
			if queryWeights != nil {
				w = queryWeights[q]
			}
			if weights != nil {
				w *= weights[i]
			}
			y := labels[i]
			switch {
			case binary && y > 0:
				y = 1
			case binary:
				y = 0
			}
			values, list = append(values, y), append(list, w)
		}
		mean.Add(values, list, false)
	}
}

// maxOdds keeps the initial score finite if all rows belong to one class, as in LightGBM.
const maxOdds = 1e15

// Bias returns the score of every row before the first tree. It is the mean of the labels that
// [AddLabels] added, in any order. For binary labels it is the score of this probability.
func Bias(labels *num.ExactMean, binary bool, sigmoid float64) float64 {
	mean := 0.0
	if labels.Weights.Value() != 0 {
		mean = labels.Value()
	}
	if binary {
		return num.Log(min(max(mean/(1-mean), 1/maxOdds), maxOdds)) / sigmoid
	}
	return mean
}
