package modelfile

import (
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
)

// AppendCalibration appends a calibration as a JSON object.
func AppendCalibration(b []byte, c *rank.Calibration) []byte {
	b = AppendFloat64(append(b, `{"relevant":`...), c.Relevant)
	if len(c.Scores) > 0 {
		b = AppendList(append(b, `,"scores":`...), c.Scores, AppendFloat64)
		b = AppendList(append(b, `,"probabilities":`...), c.Probabilities, AppendFloat64)
	} else {
		b = AppendFloat64(append(b, `,"slope":`...), c.Slope)
		b = AppendFloat64(append(b, `,"intercept":`...), c.Intercept)
	}
	return append(b, '}')
}

// ReadCalibration returns the calibration of a model, or nil if the model has none.
func ReadCalibration(doc Node) *rank.Calibration {
	if !doc.Has("calibration") {
		return nil
	}
	n := doc.Get("calibration")
	c := &rank.Calibration{Relevant: n.Get("relevant").Number()}
	if n.Has("scores") {
		n.Only("relevant", "scores", "probabilities")
		c.Scores, c.Probabilities = n.Get("scores").Floats(), n.Get("probabilities").Floats()
		if len(c.Scores) == 0 {
			n.Failf("the calibration must contain at least one score")
		}
	} else {
		n.Only("relevant", "slope", "intercept")
		c.Slope, c.Intercept = n.Get("slope").Number(), n.Get("intercept").Number()
	}
	if doc.Err() != nil {
		return nil
	}
	if err := c.Validate(); err != nil {
		n.Failf("%s", errs.Bare(err))
	}
	return c
}
