//go:build !race

package kernels

// race, unlike the empty functions, costs a function that shall be inlined nothing.
const race = false

func raceRead[T any]([]T)  {}
func raceWrite[T any]([]T) {}

func raceReadRows[T any]([]T, int, int, int) {}
