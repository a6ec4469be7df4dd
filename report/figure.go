package report

import (
	"context"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// Figure returns one figure of the page:
//
//	curve        training curves
//	path         a metric over C, with the selected value
//	positions    position-bias factors used to train the trees
//	importance   feature importance: shares of gain, splits and (if Data is set) SHAP values for
//	             trees, or weight × standard deviation for linear models
//	shap         SHAP values of trees, one dot per document, colored by feature value
//	scores       score distribution per label
//	queries      the first metric per query, or its difference if there are two systems
//	ndcg-at-k    NDCG@k over k, one line per system
//	calibration  mean label by score, one line per system
//	reliability  share of relevant documents by calibrated probability, with the expected
//	             calibration error in 15 bins of equal width, and the Brier score
//
// The first six figures (curve to scores) show only the first system. Figure returns an error if
// the name is unknown or if the page lacks data that the figure requires.
func (p *Page) Figure(ctx context.Context, name string) (c *Chart, err error) {
	defer memory.Begin().End(&err)
	if len(p.Systems) == 0 {
		return nil, errs.New("report", "a figure requires a system")
	}
	s := p.Systems[0]
	data := p.dataOf(s)
	trees, isTrees := s.Model.(*lambdamart.Model)
	linear, isLinear := s.Model.(*rank.Linear)
	if isTrees {
		if trees, data, err = usedByTrees(trees, data); err != nil {
			return nil, err
		}
	}
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
		case "reliability":
			return figureReliability(p.Data.Data.Labels, p.Systems)
		}
	}
	return nil, errs.Errorf("report", "cannot draw the figure %q: the name is unknown, or the page does not contain its data", name)
}
