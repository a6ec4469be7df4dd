//go:build purego || !(amd64 || arm64)

package trees

func lambdaF32(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32) {
	lambdaF32Generic(grad, hess, docs, from, to, lanes)
}

func lambdaUnbiasedF32(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32) {
	lambdaUnbiasedF32Generic(grad, hess, docs, from, to, lanes)
}
