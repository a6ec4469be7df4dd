//go:build !race && !purego && (amd64 || arm64)

package kernels

func raceRead[T any]([]T)  {}
func raceWrite[T any]([]T) {}

func raceReadRows[T any]([]T, int, int, int) {}
