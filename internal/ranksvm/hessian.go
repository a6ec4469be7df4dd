package ranksvm

import (
	"context"

	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/kernels"
)

const (
	// maxHessians limits the number of partial Hessians, each of which takes as much memory as the
	// sum.
	maxHessians = 8
	// hessianBlock is the number of features that a Hessian processes at a time: 32 KiB in float64.
	hessianBlock = 4 << 10
)

// hessian sets h to the second derivative of the loss of all pairs at w. h contains the upper
// triangle (d×d, row-major) or, if diagonal is true, approximately the diagonal of
//
//	Σ over pairs of weight·loss″(xᵢ−xⱼ)(xᵢ−xⱼ)ᵀ = Σ over units of XᵀLX,
//
// where L is the Laplacian of the graph whose edge from i to j has the weight weight·loss″. With a
// margin, h covers only the pairs that the margin does not leave out, each with its weight in the
// full set.
func (p *pairSet) hessian(ctx context.Context, pl pairLoss, w, h []float64, diagonal bool) error {
	tasks := min(max(p.docs/blockDocs, 1), maxHessians, len(p.units))
	parts := make([][]float64, tasks)
	w = unlessZero(w)
	err := parallel.For(ctx, p.data.Threads, tasks, func(worker, t int) {
		part := h
		if t > 0 {
			part = make([]float64, len(h))
		}
		clear(part)
		parts[t] = part
		work := &p.work[worker]
		for i := t * len(p.units) / tasks; i < (t+1)*len(p.units)/tasks; i++ {
			if ctx.Err() == nil {
				p.unitHessian(work, pl, &p.units[i], w, part, diagonal)
			}
		}
	})
	if err != nil {
		return err
	}
	for _, part := range parts[1:] {
		kernels.AxpyF64(1, part, h)
	}
	return nil
}

// hessianCost estimates the cost of the Hessian of the set in passes over the set. A pass
// multiplies each row by two vectors. The Hessian multiplies it by half of the features and by the
// rows of its unit.
func (p *pairSet) hessianCost() float64 {
	return float64(float64(p.data.Features.Cols)/4) + float64(p.docs)/float64(2*len(p.units))
}

// matrixTime estimates the cost of the full Hessian of a sample and its factorization, in passes,
// if the features are sparse. Otherwise it returns 0. The unit of time is one element of a sparse
// row in a pass. Each row takes rowTime in addition, and dense vectors process eight elements per
// unit.
func (p *pairSet) matrixTime(sample *pairSet) float64 {
	const rowTime, vector = 16, 8
	n, cols := float64(p.data.Nonzeros), float64(p.data.Features.Cols)
	if n == 0 {
		return 0
	}
	n = float64(n * (float64(p.docs) / float64(p.data.rows())))
	sampled := float64(n * (float64(sample.docs) / float64(p.docs)))
	unit := float64(sample.docs) / float64(len(sample.units))
	outer := float64(sampled*cols/(2*vector)) + float64(sampled*unit)
	factor := float64(cols * cols * cols / (6 * vector))
	return (outer + factor) / (n + n + float64(rowTime*float64(p.docs)))
}

// unitHessian adds the XᵀLX of one unit to h. A nil w stands for weights of 0.
func (p *pairSet) unitHessian(work *pairWork, pl pairLoss, u *unit, w, h []float64, diagonal bool) {
	n := len(u.rows)
	if !diagonal {
		work.x.gather(&p.data.Features, u.rows)
	}
	var l []float64 // nil if all pairs have the same second derivative
	if w != nil || u.gain != nil || u.better != nil || u.list != nil {
		z := work.z[:n]
		if diagonal {
			for i, r := range u.rows {
				p.data.Features.Scores(z[i:i+1], int(r), w)
			}
		} else {
			work.x.Scores(z, 0, w)
		}
		if l = grow(&work.l, n*n); !pl.laplacian(l, u, z) {
			return
		}
	} else {
		for len(work.ones) < n {
			work.ones = append(work.ones, 1)
		}
	}
	second := pl.weightIn(u) * pl.secondAtZero()
	switch {
	case diagonal:
		degree := grow(&work.degree, n)
		for lo := 0; lo < n; {
			hi := u.sameLabel(lo)
			for i := lo; i < hi; i++ {
				if l != nil {
					degree[i] = l[i*n+i]
				} else {
					degree[i] = second * float64(n-(hi-lo))
				}
			}
			lo = hi
		}
		if len(work.moments) < len(h) {
			work.moments = make([]moment, len(h))
		}
		p.data.Features.addDiagonal(h, u.rows, degree, work.moments[:len(h)])
	case work.x.Offsets != nil:
		sparseHessian(work, u, l, second, h)
	default:
		denseHessian(work, u, l, second, h)
	}
}

// If all pairs have the same second derivative, L need not be stored. Row i of LX is then the
// second derivative times (partners·xᵢ − the sum of the partners' rows). The sum is the sum of all
// rows minus the sum of the rows with the same label.

// denseHessian is unitHessian for a unit whose rows are gathered in work.x, which is dense.
func denseHessian(work *pairWork, u *unit, l []float64, second float64, h []float64) {
	n, cols, from := len(u.rows), work.x.Cols, work.x.Stride
	x := work.x.X
	stride := (cols + 7) &^ 7
	lx, xT := grow(&work.lx, n*stride), grow(&work.xT, n*cols)
	// Every row is read many times. So the rows are converted to float64 once and processed in
	// blocks that fit in the L1 cache.
	block := max(hessianBlock/stride, 8)
	if l != nil {
		wide := grow(&work.wide, n*stride)
		for i := range n {
			for j, v := range x[i*from : i*from+cols] {
				wide[i*stride+j] = float64(v)
			}
		}
		clear(lx)
		for lo := 0; lo < n; lo += block {
			hi := min(lo+block, n)
			for i := range n {
				kernels.AddGemvTF64(lx[i*stride:i*stride+cols], l[i*n+lo:i*n+hi], wide[lo*stride:], hi-lo, cols, stride)
			}
		}
	} else {
		sum, own := grow(&work.sum, cols), grow(&work.own, cols)
		clear(sum)
		kernels.AddGemvTF32Wide(sum, work.ones[:n], x, n, cols, from)
		for lo := 0; lo < n; {
			hi := u.sameLabel(lo)
			clear(own)
			kernels.AddGemvTF32Wide(own, work.ones[:hi-lo], x[lo*from:hi*from], hi-lo, cols, from)
			partners := float64(n - (hi - lo))
			for i := lo; i < hi; i++ {
				row := lx[i*stride : i*stride+cols]
				for j, v := range x[i*from : i*from+cols] {
					row[j] = second * (float64(partners*float64(v)) - (sum[j] - own[j]))
				}
			}
			lo = hi
		}
	}
	for i := range n {
		for j, v := range x[i*from : i*from+cols] {
			xT[j*n+i] = float64(v)
		}
	}
	for lo := 0; lo < n; lo += block {
		hi := min(lo+block, n)
		for a := range cols {
			b := a &^ 7 // start at an aligned element of the rows
			kernels.AddGemvTF64(h[a*cols+b:(a+1)*cols], xT[a*n+lo:a*n+hi], lx[lo*stride+b:], hi-lo, cols-b, stride)
		}
	}
}

// sparseHessian is unitHessian for a unit whose rows are gathered in work.x, which is sparse. It
// skips zeros, and its results have the same bits as those of denseHessian.
func sparseHessian(work *pairWork, u *unit, l []float64, second float64, h []float64) {
	n, cols := len(u.rows), work.x.Cols
	x := &work.x
	if l != nil {
		lx := grow(&work.lx, cols)
		for i := range n {
			clear(lx)
			x.Add(lx, 0, l[i*n:(i+1)*n])
			x.addOuter(h, lx, i)
		}
		return
	}
	lx, sum, own := grow(&work.lx, cols), grow(&work.sum, cols), grow(&work.own, cols)
	clear(sum)
	x.Add(sum, 0, work.ones[:n])
	for lo := 0; lo < n; {
		hi := u.sameLabel(lo)
		clear(own)
		x.Add(own, lo, work.ones[:hi-lo])
		partners := float64(n - (hi - lo))
		for j := range own {
			own[j] = sum[j] - own[j]
			lx[j] = second * -own[j]
		}
		for i := lo; i < hi; i++ {
			index, value := x.row(i)
			for k, j := range index {
				lx[j] = second * (float64(partners*float64(value[k])) - own[j])
			}
			x.addOuter(h, lx, i)
			for _, j := range index {
				lx[j] = second * -own[j]
			}
		}
		lo = hi
	}
}

// sameLabel returns the end of the documents with the label of document lo, the first of them.
func (u *unit) sameLabel(lo int) int {
	hi := lo + 1
	for hi < len(u.lower) && u.lower[hi] == u.lower[lo] {
		hi++
	}
	return hi
}

// grow returns s with n elements of unspecified value.
func grow(s *[]float64, n int) []float64 {
	if cap(*s) < n {
		*s = make([]float64, n)
	}
	return (*s)[:n]
}
