package rank

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/simdrank/simdrank/internal/mapped"
	"github.com/simdrank/simdrank/internal/newton"
	"github.com/simdrank/simdrank/kernels"
)

// Ridge is linear regression of the labels on the features, all queries pooled:
// the pointwise baseline that a ranker should beat. It minimizes
//
//	Σᵢ (yᵢ − b − w·xᵢ)² + Alpha·‖w‖²
//
// (Hoerl and Kennard 1970) by the normal equations of the centered features. The
// intercept b is not penalized. Where features depend on each other so closely that the
// equations are not positive definite in float64, their diagonal is raised by the least of
// 2⁻⁴⁴, 2⁻⁴⁰, … of itself that makes them so.
type Ridge struct {
	Alpha       float64 // strength of the penalty; 0 means 1
	NoIntercept bool    // fit without b, features and labels as they are
}

// ridgeBlock is how many rows are taken into the normal equations at once: their
// columns stay in the second-level cache.
const ridgeBlock = 256

// Fit returns the optimum. It is an error when d has no rows, holds a NaN or an
// infinity, or when ctx ends.
func (r *Ridge) Fit(ctx context.Context, d *Dataset) (_ *Linear, err error) {
	defer mapped.Begin().End(&err)
	alpha := r.Alpha
	if alpha == 0 {
		alpha = 1
	}
	if !(alpha > 0) || math.IsInf(alpha, 0) {
		return nil, fmt.Errorf("rank: ridge: Alpha is %v, want a positive number", r.Alpha)
	}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	rows, cols := d.Rows(), d.Cols
	if rows == 0 {
		return nil, errors.New("rank: ridge: the dataset has no rows")
	}
	if cols == 0 {
		return nil, errors.New("rank: ridge: the dataset has no features")
	}

	mean := make([]float64, cols)
	var meanLabel float64
	if !r.NoIntercept {
		ones := make([]float64, rows)
		for i := range ones {
			ones[i] = 1
		}
		kernels.GemvTF32Wide(mean, d.X, rows, cols, d.Stride, ones)
		for j := range mean {
			mean[j] /= float64(rows)
		}
		for _, y := range d.Labels {
			meanLabel += y
		}
		meanLabel /= float64(rows)
	}

	// gram = Xᵀ(X − mean) and xy = (X − mean)ᵀ(y − ȳ), a block of rows at a time. One
	// side centered is enough for the sum and keeps the digits of features with large means.
	gram := make([]float64, cols*cols)
	xy := make([]float64, cols)
	column := make([]float64, ridgeBlock)
	for lo := 0; lo < rows; lo += ridgeBlock {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("rank: ridge: stopped at row %d of %d: %w", lo, rows, err)
		}
		n := min(ridgeBlock, rows-lo)
		x, c := d.X[lo*d.Stride:], column[:n]
		for j := range cols {
			for i := range c {
				c[i] = float64(x[i*d.Stride+j]) - mean[j]
				xy[j] += float64(c[i] * (d.Labels[lo+i] - meanLabel))
			}
			kernels.GemvTF32Wide(gram[j*cols+j:(j+1)*cols], x[j:], n, cols-j, d.Stride, c)
		}
	}
	for j := range cols {
		if !isFinite(xy[j]) || !isFinite(gram[j*cols+j]) {
			return nil, notFinite(d)
		}
		gram[j*cols+j] += alpha
	}

	var c newton.Cholesky
	if !c.Factorize(gram, cols, nil) {
		return nil, notFinite(d)
	}
	c.Solve(xy)
	m := &Linear{Weights: xy, Intercept: meanLabel}
	for j, v := range m.Weights {
		m.Intercept -= float64(v * mean[j])
	}
	return m, nil
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// notFinite returns an error that names the first feature or label of d that is
// NaN or infinite.
func notFinite(d *Dataset) error {
	var row []float32
	for i := range d.Rows() {
		if !isFinite(d.Labels[i]) {
			return fmt.Errorf("rank: %w", d.RowError(i, fmt.Errorf("label is %v", d.Labels[i])))
		}
		row = d.AppendRow(row[:0], i)
		for j, v := range row {
			if !isFinite(float64(v)) {
				return fmt.Errorf("rank: %w", d.RowError(i, fmt.Errorf("%s is %v", d.FeatureName(j), v)))
			}
		}
	}
	return errors.New("rank: the values of the features are too large: their sums overflow")
}
