package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank/model"
)

// reliabilityBins is the number of bins of equal width, as in Guo et al. (2017).
const reliabilityBins = 15

// figureReliability draws the share of relevant documents over the calibrated probability, in bins
// of equal width. The legend contains the expected calibration error (ECE) and the Brier score. ECE
// is the mean over all documents of the difference between the share and the mean probability of
// their bin.
func figureReliability(labels []float64, systems []System) (*Chart, error) {
	if len(labels) == 0 {
		return nil, errs.New("report", "the data contains no documents")
	}
	c := &Chart{Title: "Reliability", Equal: true, X: Axis{Label: "calibrated probability", Max: 1},
		Y: Axis{Label: "share of relevant documents", Max: 1}}
	c.data = &table{columns: []string{"system", "documents", "mean probability", "relevant"}}
	for i, system := range systems {
		if err := checkScores(labels, system.Scores); err != nil {
			return nil, err
		}
		of := model.Calibration(system.Model)
		if of == nil {
			return nil, errs.Errorf("report", "reliability: %s is not calibrated", system.Name)
		}
		probabilities := slices.Clone(system.Scores)
		of.Apply(probabilities)
		var documents, relevant, sums [reliabilityBins]float64
		brier := 0.0
		for k, p := range probabilities {
			bin := min(int(reliabilityBins*p), reliabilityBins-1)
			y := 0.0
			if labels[k] >= of.Relevant {
				y = 1
			}
			documents[bin]++
			relevant[bin] += y
			sums[bin] += p
			brier += float64((p - y) * (p - y))
		}
		n, ece := float64(len(labels)), 0.0
		s := Series{Color: i%nSeries + 1, Dashed: i >= nSeries}
		for bin, count := range documents {
			if count == 0 {
				continue
			}
			ece += math.Abs(sums[bin]-relevant[bin]) / n
			s.X, s.Y = append(s.X, sums[bin]/count), append(s.Y, relevant[bin]/count)
			c.data.rows = append(c.data.rows, []string{system.Name, number(count), number(sums[bin] / count),
				number(relevant[bin] / count)})
		}
		s.Name = fmt.Sprintf("%s: ECE %.4f, Brier score %.4f", system.Name, ece, brier/n)
		c.description += s.Name + ". "
		c.Series = append(c.Series, s)
	}
	c.Series = append(c.Series, Series{Name: "perfect", X: []float64{0, 1}, Y: []float64{0, 1}, Dashed: true,
		Shade: []float64{math.NaN()}})
	return c, nil
}
