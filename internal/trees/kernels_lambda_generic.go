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
			w := absF32(gi - gj)
			if !(w < docs.Limit) {
				w = docs.Limit
			}
			w = float32(w*absF32(ui+v[j])) / (docs.Base + float32(docs.Slope*(si-score[j])))
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

func absF32(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }
