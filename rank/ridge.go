package rank

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/kernels"
)

// Ridge is linear regression of the labels on the features, over all queries together. It is a
// pointwise baseline that a ranker should beat. It minimizes
//
//	Σᵢ vᵢ·(yᵢ − b − w·xᵢ)² + Alpha·‖w‖²
//
// (Hoerl and Kennard 1970) by solving the normal equations of the centered features. The weight vᵢ
// is the product of the row's weight and its query's weight. Each is 1 if the dataset has no such
// weights. The intercept b is not penalized. If collinear features make the equations not positive
// definite in float64, Fit increases their diagonal. It adds the smallest sufficient fraction of
// the diagonal among 2⁻⁴⁴, 2⁻⁴⁰, ….
//
// With more than 4096 features the matrix would be too large. Then the equations are solved by
// conjugate gradients (Hestenes and Stiefel 1952) with diagonal scaling. The solver stops if the
// residual is at most 1e-10 times the right-hand side. Each step is one pass over the data. Fit
// returns an error if 10,000 steps are not enough.
//
// A feature that is 0 in all rows has the weight 0. In very wide data, Fit copies only the features
// that are nonzero in some row, under the same conditions as [RankSVM.Fit], and solves the
// equations for them.
type Ridge struct {
	// Alpha is the strength of the penalty. It must be positive. The default is 1.
	Alpha float64 `file:"alpha"`
	// NoIntercept omits b and does not center the features.
	NoIntercept bool `file:"no_intercept"`

	// Progress reports the progress of Fit; see the package comment.
	Progress func(done, total int64) `file:"-"`
}

// ridgeBlock is the number of rows that are added to the normal equations at a time. The columns of
// a block stay in the second-level cache.
const ridgeBlock = 256

// Fit returns the optimum. It returns an error if d has no rows with a positive weight, if d
// contains NaN or an infinity, or if ctx ends.
func (r *Ridge) Fit(ctx context.Context, d *Dataset) (_ *Linear, err error) {
	defer memory.Begin().End(&err)
	o := *r
	o.Alpha = cmp.Or(r.Alpha, 1)
	if !(o.Alpha > 0) || math.IsInf(o.Alpha, 0) {
		return nil, errs.Errorf("rank", "ridge: Alpha is %v; it must be positive and finite", r.Alpha)
	}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	if err := d.onlyNumbers(); err != nil {
		return nil, err
	}
	if d.Rows() == 0 {
		return nil, errs.New("rank", "ridge: the dataset has no rows")
	}
	if d.Cols == 0 {
		return nil, errs.New("rank", "ridge: the dataset has no features")
	}
	few, columns := d.occurring()
	m, err := o.fit(ctx, few)
	switch {
	case err == ranksvm.ErrNotFinite:
		return nil, notFinite(d)
	case err != nil:
		return nil, err
	case columns != nil:
		m.Weights = (&ranksvm.PackedWeights{Cols: d.Cols, Columns: columns, Values: m.Weights}).Unpack(nil)
	}
	m.FeatureNames, m.Settings = slices.Clone(d.Names), text.Settings("ridge", o, d.Names)
	return m, nil
}

// fit returns the weights and the intercept of the optimum.
func (o *Ridge) fit(ctx context.Context, d *Dataset) (*Linear, error) {
	v, total := d.rowWeights()
	if !(total > 0) {
		return nil, errs.New("rank", "ridge: no row has a positive weight")
	}
	mean := make([]float64, d.Cols)
	var meanLabel float64
	if !o.NoIntercept {
		d.columnMeans(mean, v, total)
		for i, y := range d.Labels {
			meanLabel += float64(v[i] * y)
		}
		meanLabel /= total
	}

	w := make([]float64, d.Cols)
	solve := solveNormal
	if d.Cols > maxNormal {
		solve = conjugateGradients
	}
	if err := solve(ctx, w, d, v, mean, meanLabel, o); err != nil {
		return nil, err
	}
	m := &Linear{Weights: w, Intercept: meanLabel}
	for j, v := range m.Weights {
		m.Intercept -= float64(v * mean[j])
	}
	return m, nil
}

// rowWeights returns the weight of each row multiplied by its query weight, and the sum of these
// products.
func (d *Dataset) rowWeights() (v []float64, total float64) {
	v = make([]float64, d.Rows())
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		for i := lo; i < hi; i++ {
			v[i] = 1
			if d.Weights != nil {
				v[i] = d.Weights[i]
			}
			if d.QueryWeights != nil {
				v[i] = float64(v[i] * d.QueryWeights[q])
			}
			total += v[i]
		}
	}
	return v, total
}

// addSquares adds, for each column j, the sum of v[i]·x[i,j]² over the rows i to sum[j]. It adds
// the rows in order.
func (d *Dataset) addSquares(sum, v []float64) {
	for i, v := range v {
		if d.Sparse == nil {
			for j, x := range d.Row(i) {
				sum[j] = math.FMA(float64(v*float64(x)), float64(x), sum[j])
			}
			continue
		}
		columns, values := d.Sparse.Row(i)
		for k, j := range columns {
			sum[j] = math.FMA(float64(v*float64(values[k])), float64(values[k]), sum[j])
		}
	}
}

// columnMeans sets mean to the weighted mean of each column. Row i has the weight v[i], and total
// is the sum of the weights.
func (d *Dataset) columnMeans(mean, v []float64, total float64) {
	clear(mean)
	d.matrix().Add(mean, 0, v)
	for j := range mean {
		mean[j] /= total
	}
}

// maxNormal is the maximum number of features for which the matrix of the normal equations is
// stored. At this limit, the matrix and its Cholesky factor use 128 MB each.
const maxNormal = 4096

// solveNormal sets w to the solution of the normal equations. It uses their Cholesky factorization.
// v contains the row weights.
func solveNormal(ctx context.Context, w []float64, d *Dataset, v, mean []float64, meanLabel float64,
	o *Ridge) error {
	// Compute gram = XᵀV(X − mean) and xy = (X − mean)ᵀV(y − ȳ), one block of rows at a time.
	// Centering only one of the factors gives the same product, and keeps the precision of features
	// with large means.
	rows, cols := d.Rows(), d.Cols
	gram, xy := make([]float64, cols*cols), w
	scratch := make([]float64, max(ridgeBlock, 2*cols))
	// The factorization takes as long as adding cols/3 rows.
	progress := parallel.NewProgress(o.Progress, int64(rows+cols/3))
	for lo := 0; lo < rows; lo += ridgeBlock {
		hi := min(lo+ridgeBlock, rows)
		if d.Sparse != nil {
			addSparseGram(ctx, gram, xy, d, v, lo, hi, mean, meanLabel, scratch[:2*cols])
		} else {
			addGram(ctx, gram, xy, d, v, lo, mean, meanLabel, scratch[:hi-lo])
		}
		if err := ctx.Err(); err != nil {
			return errs.Errorf("rank", "ridge: training stopped at row %d of %d: %w", lo, rows, err)
		}
		progress.Add(int64(hi - lo))
	}
	for j := range cols {
		if !isFinite(xy[j]) || !isFinite(gram[j*cols+j]) {
			return ranksvm.ErrNotFinite
		}
		if d.Sparse != nil {
			for k := range j {
				gram[k*cols+j] = gram[j*cols+k]
			}
		}
		gram[j*cols+j] += o.Alpha
	}
	var c ranksvm.Cholesky
	if !c.Factorize(ctx, gram, cols, nil) {
		if err := ctx.Err(); err != nil {
			return errs.Errorf("rank", "ridge: training stopped: %w", err)
		}
		return ranksvm.ErrNotFinite
	}
	c.Solve(xy)
	progress.Finish()
	return nil
}

// addGram adds len(column) rows, starting at row lo, to the upper triangle of gram and to xy. It
// stops early if ctx ends.
func addGram(ctx context.Context, gram, xy []float64, d *Dataset, v []float64, lo int, mean []float64,
	meanLabel float64, column []float64) {
	cols, x := d.Cols, d.X[lo*d.Stride:(lo+len(column))*d.Stride] // end at the last row, as AddGemvTF32Wide requires
	for j := range cols {
		if j%64 == 0 && ctx.Err() != nil {
			return
		}
		for i := range column {
			column[i] = float64(v[lo+i] * (float64(x[i*d.Stride+j]) - mean[j]))
			xy[j] += float64(column[i] * (d.Labels[lo+i] - meanLabel))
		}
		kernels.AddGemvTF32Wide(gram[j*cols+j:(j+1)*cols], column, x[j:], len(column), cols-j, d.Stride)
	}
}

// addSparseGram adds rows lo to hi of a sparse dataset to the lower triangle of gram and to xy. It
// computes the same sums as addGram but omits products with zero. scratch contains memory for two
// rows.
func addSparseGram(ctx context.Context, gram, xy []float64, d *Dataset, v []float64, lo, hi int, mean []float64,
	meanLabel float64, scratch []float64) {
	cols := d.Cols
	row, weighted := scratch[:cols], scratch[cols:]
	for j := range row {
		row[j] = 0 - mean[j]
	}
	for i := lo; i < hi; i++ {
		if ctx.Err() != nil {
			return
		}
		columns, values := d.Sparse.Row(i)
		for k, j := range columns {
			row[j] = float64(values[k]) - mean[j]
		}
		for j, c := range row {
			weighted[j] = float64(v[i] * c)
			xy[j] += float64(weighted[j] * (d.Labels[i] - meanLabel))
		}
		for k, j := range columns {
			kernels.AxpyF64(float64(values[k]), weighted[:j+1], gram[int(j)*cols:int(j)*cols+int(j)+1])
		}
		for _, j := range columns {
			row[j] = 0 - mean[j]
		}
	}
}

// conjugateGradients sets w to the solution of the normal equations without storing their matrix.
// To multiply the matrix by a vector, it reads the data twice. v contains the row weights.
func conjugateGradients(ctx context.Context, w []float64, d *Dataset, v, mean []float64, meanLabel float64,
	o *Ridge) error {
	cols := d.Cols
	z := make([]float64, d.Rows())
	back := func(q []float64) { // q = (X − mean)ᵀVz
		var sum float64
		for i := range z {
			z[i] = float64(z[i] * v[i])
			sum += z[i]
		}
		clear(q)
		d.matrix().Add(q, 0, z)
		kernels.AxpyF64(-sum, mean, q)
	}
	apply := func(q, p []float64) { // q = ((X − mean)ᵀV(X − mean) + Alpha)p
		d.matrix().Scores(z, 0, p)
		shift := kernels.DotF64(mean, p)
		for i := range z {
			z[i] -= shift
		}
		back(q)
		kernels.AxpyF64(o.Alpha, p, q)
	}

	scale := make([]float64, cols) // inverse of the matrix's diagonal
	d.addSquares(scale, v)
	var total float64
	for _, v := range v {
		total += v
	}
	for j, m := range mean {
		scale[j] = 1 / (max(scale[j]-float64(float64(total*m)*m), 0) + o.Alpha)
	}
	r := make([]float64, cols)
	for i := range z {
		z[i] = d.Labels[i] - meanLabel
	}
	back(r)
	steps, left, err := ranksvm.ConjugateGradients(ctx, w, r, scale, apply, o.Progress)
	switch {
	case err == ranksvm.ErrSteps:
		return errs.Errorf("rank", "ridge: the conjugate gradient method did not converge in %d steps (relative residual %.2g): "+
			"scale the features or increase Alpha", steps, left)
	case err != nil:
		return errs.Errorf("rank", "ridge: training stopped after %d steps: %w", steps, err)
	case !isFinite(left) || !isFinite(kernels.DotF64(w, w)):
		return ranksvm.ErrNotFinite
	}
	return nil
}
