package boost

import "github.com/simdrank/simdrank/internal/num"

// AddLabels adds the labels of queries, of the rows offsets[q] to offsets[q+1]−1, to the mean that
// scores begin with if the loss is of single rows. Each has the weight of its row times that of its
// query; nil weights are all 1. A binary label counts as 1 above 0, else as 0.
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

// maxOdds keeps the initial score finite where all rows are of one kind, as LightGBM does.
const maxOdds = 1e15

// Bias returns the score of every row before the first tree: the mean of what [AddLabels] has
// added, in any order, or of binary labels the score of that probability.
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
