package report

import (
	"context"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// Figure draws one figure of the page:
//
//	curve        the curves of a training
//	path         the metric over C, with the choice marked
//	positions    factors of positions that trees were trained with
//	importance   shares of features in the gain and the number of splits of trees and, if there
//	             are data, in SHAP values; weights times standard deviations of a linear model
//	shap         SHAP values of trees, a dot for a document, colored by the value of the feature
//	scores       the scores of the documents of each label
//	queries      the first metric by query: its value or, of two systems, the second's less the
//	             first's
//	ndcg-at-k    NDCG@k over k, a line for each system
//	calibration  the mean label by score, a line for each system
//
// The first six are about the first system. It returns an error if there is no such figure or the
// page lacks what it shows.
func (p *Page) Figure(ctx context.Context, name string) (c *Chart, err error) {
	defer memory.Begin().End(&err)
	if len(p.Systems) == 0 {
		return nil, errs.New("report", "a figure needs a system")
	}
	s := p.Systems[0]
	data := p.dataOf(s)
	trees, isTrees := s.Model.(*lambdamart.Model)
	linear, isLinear := s.Model.(*rank.Linear)
	switch {
	case name == "curve" && s.Curve != nil:
		return figureCurves(s.Curve)
	case name == "path" && s.Path != nil:
		return figurePath(s.Path)
	case name == "positions" && isTrees:
		return figurePositions(trees)
	case name == "importance" && isTrees && data == nil:
		return figureImportance(trees, nil)
	case name == "importance" && isLinear && data != nil:
		return figureWeights(linear, data)
	case (name == "importance" || name == "shap") && isTrees && data != nil:
		explained, err := sampleContributions(ctx, trees, data, p.Progress)
		if err != nil {
			return nil, err
		}
		if name == "shap" {
			return figureSHAP(trees, explained)
		}
		return figureImportance(trees, explained)
	}
	if p.Data.Data != nil {
		switch name {
		case "scores":
			return figureScores(p.Data.Data.Labels, s.Scores)
		case "queries":
			e, err := p.evaluator()
			if err != nil {
				return nil, err
			}
			if e, err = decisive(e); err != nil { // only the first metric is drawn
				return nil, err
			}
			results, err := measure(ctx, e, p.Systems, p.Data.Data, p.Progress)
			if err != nil {
				return nil, err
			}
			return figureQueries(results...)
		case "ndcg-at-k":
			return figureNDCG(ctx, p.Data.Data, p.Systems, p.options(), p.Progress)
		case "calibration":
			return figureCalibration(p.Data.Data.Labels, p.Systems)
		}
	}
	return nil, errs.Errorf("report", "the page has no figure %q", name)
}
