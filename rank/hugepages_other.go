//go:build !linux

package rank

// newFeatures returns a matrix of zeros.
func newFeatures(values int) []float32 { return make([]float32, values) }
