//go:build !race

package kernels

// race, unlike the empty functions, costs a function that shall be inlined nothing.
const race = false

func raceRead[T any]([]T)  {}
func raceWrite[T any]([]T) {}

//lint:ignore U1000 plain Go does not call it
func raceReadRows[T any]([]T, int, int, int) {}
