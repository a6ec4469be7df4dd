package vectors

// The plain Go kernels of this file call the kernels for two vectors.

func blockI8Generic(dst []float32, q, a []int8, s manyShape) {
	for i := range s.queries {
		x := q[i*s.qstride:][:s.cols]
		for j := range s.rows {
			touchRows(a, &s, j)
			y, d := a[s.row(j):][:s.cols], &dst[i*s.rows+j]
			switch s.metric {
			case dotMetric:
				*d = float32(DotI8(x, y))
			case l2Metric:
				*d = float32(L2I8(x, y))
			case cosineMetric:
				*d = CosineI8(x, y)
			}
		}
	}
}

func blockU8Generic(dst []float32, q, a []uint8, s manyShape) {
	for i := range s.queries {
		x := q[i*s.qstride:][:s.cols]
		for j := range s.rows {
			touchRows(a, &s, j)
			y, d := a[s.row(j):][:s.cols], &dst[i*s.rows+j]
			switch s.metric {
			case dotMetric:
				*d = float32(DotU8(x, y))
			case l2Metric:
				*d = float32(L2U8(x, y))
			case cosineMetric:
				*d = CosineU8(x, y)
			}
		}
	}
}

func blockBitsGeneric(dst []float32, q, a []uint64, s manyShape) {
	for i := range s.queries {
		x := q[i*s.qstride:][:s.cols]
		for j := range s.rows {
			touchRows(a, &s, j)
			dst[i*s.rows+j] = float32(HammingBits(x, a[s.row(j):][:s.cols]))
		}
	}
}
