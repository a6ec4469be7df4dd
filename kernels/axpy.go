package kernels

// AxpyF64 adds alpha·x to y: y[i] = alpha·x[i] + y[i], one fused multiply-add
// an element, rounded once. It panics when the lengths differ. x may be y itself; x and y that
// overlap otherwise panic.
func AxpyF64(alpha float64, x, y []float64) {
	if len(x) != len(y) {
		panic(lengthError{"AxpyF64: len(x) and len(y) differ", len(x), len(y)})
	}
	if shifted(x, y) {
		panic(overlapError("AxpyF64: y overlaps x"))
	}
	// By calls of itself, a function in Go: only where one begins can the scheduler preempt between assembly.
	for ; len(y) > blockLen; x, y = x[blockLen:], y[blockLen:] {
		AxpyF64(alpha, x[:blockLen], y[:blockLen])
	}
	if race {
		raceRead(x)
		raceWrite(y)
	}
	axpyF64(alpha, x, y)
}

// AxpyF32 is [AxpyF64] in float32.
func AxpyF32(alpha float32, x, y []float32) {
	if len(x) != len(y) {
		panic(lengthError{"AxpyF32: len(x) and len(y) differ", len(x), len(y)})
	}
	if shifted(x, y) {
		panic(overlapError("AxpyF32: y overlaps x"))
	}
	for ; len(y) > blockLen; x, y = x[blockLen:], y[blockLen:] {
		AxpyF32(alpha, x[:blockLen], y[:blockLen])
	}
	if race {
		raceRead(x)
		raceWrite(y)
	}
	axpyF32(alpha, x, y)
}

// AxpyDiffF64 adds alpha·(a−b) to y, the step that a pair of documents with features a and b makes on
// a gradient or a weight vector: y[i] = alpha·(a[i]−b[i]) + y[i], where the
// difference is rounded and the rest is one fused multiply-add. It panics when
// lengths differ. a and b may be y itself; an input that overlaps y otherwise panics.
func AxpyDiffF64(alpha float64, a, b, y []float64) {
	if len(a) != len(y) {
		panic(lengthError{"AxpyDiffF64: len(a) and len(y) differ", len(a), len(y)})
	}
	if len(b) != len(y) {
		panic(lengthError{"AxpyDiffF64: len(b) and len(y) differ", len(b), len(y)})
	}
	if shifted(a, y) {
		panic(overlapError("AxpyDiffF64: y overlaps a"))
	}
	if shifted(b, y) {
		panic(overlapError("AxpyDiffF64: y overlaps b"))
	}
	for ; len(y) > blockLen; a, b, y = a[blockLen:], b[blockLen:], y[blockLen:] {
		AxpyDiffF64(alpha, a[:blockLen], b[:blockLen], y[:blockLen])
	}
	if race {
		raceRead(a)
		raceRead(b)
		raceWrite(y)
	}
	axpyDiffF64(alpha, a, b, y)
}

// AxpyDiffF32 is [AxpyDiffF64] in float32.
func AxpyDiffF32(alpha float32, a, b, y []float32) {
	if len(a) != len(y) {
		panic(lengthError{"AxpyDiffF32: len(a) and len(y) differ", len(a), len(y)})
	}
	if len(b) != len(y) {
		panic(lengthError{"AxpyDiffF32: len(b) and len(y) differ", len(b), len(y)})
	}
	if shifted(a, y) {
		panic(overlapError("AxpyDiffF32: y overlaps a"))
	}
	if shifted(b, y) {
		panic(overlapError("AxpyDiffF32: y overlaps b"))
	}
	for ; len(y) > blockLen; a, b, y = a[blockLen:], b[blockLen:], y[blockLen:] {
		AxpyDiffF32(alpha, a[:blockLen], b[:blockLen], y[:blockLen])
	}
	if race {
		raceRead(a)
		raceRead(b)
		raceWrite(y)
	}
	axpyDiffF32(alpha, a, b, y)
}
