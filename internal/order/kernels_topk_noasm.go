//go:build purego || !(amd64 || arm64)

package order

func rankKeysF32(dst []int64, x []float32, base int) (nan bool) {
	return rankKeysF32Generic(dst, x, base)
}

func rankGradesF32(dst []int64, x []float32, grades []uint8, base int) (nan bool) {
	return rankGradesF32Generic(dst, x, grades, base)
}

func thresholdF32(lanes *[16]float32, x []float32, k int) (t float32, nan bool) {
	return thresholdF32Generic(lanes, x, k)
}

func selectKeysF32(dst []int64, x []float32, t float32, base int) int {
	return selectKeysF32Generic(dst, x, t, base)
}

func countLevelsU8(counts *[16]int64, x []uint8, levels int) (others int64) {
	return countLevelsU8Generic(counts, x, levels)
}

func bestGainsF32(dst *[16]float64, keys []int64, x []float32, grades []uint8, gains *[16]float64,
	k int) (nan, ok bool) {
	return bestGainsF32Generic(dst, keys, x, grades, gains, k)
}

func rankGainsF32(dst []float64, keys, tmp []int64, x []float32, grades []uint8,
	gains *[16]float64) (nan, ok bool) {
	return rankGainsF32Generic(dst, keys, tmp, x, grades, gains)
}
