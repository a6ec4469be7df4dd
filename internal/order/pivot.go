package order

// pivot returns an element near the median. For short a, it is the median of three elements.
// Otherwise, it is the median of the medians of thirds (Tukey's ninther), on up to four levels.
func pivot[T int32 | int64](a []T) T {
	switch n := len(a); {
	case n < 128:
		return median3(a[n/4], a[n/2], a[n-1-n/4])
	case n < 1<<11:
		return ninther(a)
	case n < 1<<15:
		return thirds(a, ninther)
	}
	return thirds(a, func(a []T) T { return thirds(a, func(a []T) T { return thirds(a, ninther) }) })
}

func thirds[T int32 | int64](a []T, median func([]T) T) T {
	n := len(a) / 3
	return median3(median(a[:n]), median(a[n:2*n]), median(a[2*n:]))
}

func ninther[T int32 | int64](a []T) T {
	s := len(a) / 9
	return median3(
		median3(a[s/2], a[s/2+s], a[s/2+2*s]),
		median3(a[s/2+3*s], a[s/2+4*s], a[s/2+5*s]),
		median3(a[s/2+6*s], a[s/2+7*s], a[s/2+8*s]))
}

func median3[T int32 | int64](a, b, c T) T {
	return max(min(a, b), min(max(a, b), c))
}
