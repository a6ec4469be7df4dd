package trees

import "math"

func lambdaF32Generic(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32) {
	n := docs.N
	score, gain, v, f := docs.Score[:n], docs.Gain[:n], docs.V[:n], docs.F[:n]
	grad, hess = grad[:n], hess[:n]
	for i := from; i < to; i++ {
		si, gi, ui, ei := score[i], gain[i], docs.U[i], docs.E[i]
		var sumG, sumH [16]float32
		for j := i + 1; j < n; j++ {
			gj := gain[j]
			if gi == gj {
				continue
			}
			w := docs.weight(gi-gj, ui+v[j], si-score[j])
			x := float32(ei * f[j])
			r := 1 / (1 + x)
			q := float32(x * r)
			wq := float32(w * q)
			h := float32(wq * r)
			l := j & 15
			if gi > gj {
				lanes[l] += wq
				grad[j] += wq
				sumG[l] += wq
			} else {
				wr := float32(w * r)
				lanes[l] += wr
				grad[j] -= wr
				sumG[l] -= wr
			}
			hess[j] += h
			sumH[l] += h
		}
		grad[i] -= SumLanesF32(&sumG)
		hess[i] += SumLanesF32(&sumH)
	}
}

func lambdaUnbiasedF32Generic(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32) {
	n := docs.N
	score, gain, v, f := docs.Score[:n], docs.Gain[:n], docs.V[:n], docs.F[:n]
	plus, minus, plusLoss, minusLoss := docs.Plus[:n], docs.Minus[:n], docs.PlusLoss[:n], docs.MinusLoss[:n]
	grad, hess = grad[:n], hess[:n]
	for i := from; i < to; i++ {
		si, gi, ui, ei, plusI, minusI := score[i], gain[i], docs.U[i], docs.E[i], plus[i], minus[i]
		var sumG, sumH, sumPlus, sumMinus [16]float32
		for j := i + 1; j < n; j++ {
			gj := gain[j]
			if gi == gj {
				continue
			}
			apart := si - score[j]
			w := docs.weight(gi-gj, ui+v[j], apart)
			x := float32(ei * f[j])
			loss := float32(lambdaLog[7][0] * x)
			for k := 6; k >= 0; k-- {
				loss = float32((loss + lambdaLog[k][0]) * x)
			}
			l := j & 15
			a, b := plusI, minus[j]
			if gi > gj {
				loss = float32(w * loss)
				sumPlus[l] += float32(loss * b)
				minusLoss[j] += float32(loss * a)
			} else {
				a, b = minusI, plus[j]
				more := float32(docs.Sigma * apart)
				if !(more < math.MaxFloat32) {
					more = math.MaxFloat32
				}
				loss = float32(w * (loss + more))
				sumMinus[l] += float32(loss * b)
				plusLoss[j] += float32(loss * a)
			}
			w = float32(w * float32(a*b))
			r := 1 / (1 + x)
			q := float32(x * r)
			wq := float32(w * q)
			h := float32(wq * r)
			if gi > gj {
				lanes[l] += wq
				grad[j] += wq
				sumG[l] += wq
			} else {
				wr := float32(w * r)
				lanes[l] += wr
				grad[j] -= wr
				sumG[l] -= wr
			}
			hess[j] += h
			sumH[l] += h
		}
		grad[i] -= SumLanesF32(&sumG)
		hess[i] += SumLanesF32(&sumH)
		plusLoss[i] += SumLanesF32(&sumPlus)
		minusLoss[i] += SumLanesF32(&sumMinus)
	}
}

// weight returns the weight of a pair, given the difference of its gains, the sum Uᵢ+Vⱼ, and the
// difference of its scores.
func (d *LambdaDocs) weight(gains, ranks, apart float32) float32 {
	w := absF32(gains)
	if !(w < d.Limit) {
		w = d.Limit
	}
	return float32(w*absF32(ranks)) / (d.Base + float32(d.Slope*apart))
}

func absF32(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }
