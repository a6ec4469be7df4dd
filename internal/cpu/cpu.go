// Package cpu decides which tier of kernels runs.
//
// The tier is detected once, when the program starts. The environment variable SIMDRANK_CPU
// (generic, avx2, avx512 or neon) selects a lower tier. If this machine cannot run the requested
// tier, the detected tier stays active and [Err] reports it, because a library must not end a
// program over a variable.
//
// Kernels branch on [UseAVX2], [UseAVX512] and [UseNEON]. If no assembly is built (on other
// architectures, or with the purego tag), these are constants and the compiler removes the
// branches.
package cpu

import (
	"fmt"
	"os"
	"strings"
)

// A Tier is a set of kernels. All tiers return bit-identical results.
type Tier uint8

// The tiers. The tiers of one architecture are in ascending order of preference.
const (
	Generic Tier = iota // plain Go, the reference
	AVX2                // AVX2, FMA3, F16C and POPCNT
	AVX512              // AVX-512 F, DQ, VL and BW, in addition to AVX2
	NEON                // the baseline of arm64
)

var names = [...]string{Generic: "generic", AVX2: "avx2", AVX512: "avx512", NEON: "neon"}

// String returns the tier's name, as in SIMDRANK_CPU.
func (t Tier) String() string { return names[t] }

// EnvVar is the environment variable that requests a tier.
const EnvVar = "SIMDRANK_CPU"

var (
	assembled, core = detect()
	available       = append([]Tier{Generic}, assembled...)
	active          Tier
	envErr          error
)

func init() {
	active, envErr = choose(os.Getenv(EnvVar), available)
	use(active)
}

// choose returns the tier named want. If want is not available, it returns the best tier and an
// error. An empty want selects the best tier.
func choose(want string, available []Tier) (Tier, error) {
	best := available[len(available)-1]
	if want == "" {
		return best, nil
	}
	has := make([]string, len(available))
	for i, t := range available {
		if t.String() == want {
			return t, nil
		}
		has[i] = t.String()
	}
	return best, fmt.Errorf("%s=%s: this machine and build support only %s; using %s",
		EnvVar, want, strings.Join(has, ", "), best)
}

// Active returns the active tier.
func Active() Tier { return active }

// Available returns the tiers that this machine and build can run, with the best one last.
func Available() []Tier { return append([]Tier(nil), available...) }

// Err returns an error if the tier requested with SIMDRANK_CPU cannot run. It returns nil if it
// runs, or if no tier was requested.
func Err() error { return envErr }

// Force makes t the active tier until restore is called. It is for tests, fuzz targets and
// benchmarks, and must not be called while kernels are running. It panics if t is not available.
func Force(t Tier) (restore func()) {
	for _, a := range available {
		if a == t {
			set := func(t Tier) { active = t; use(t) }
			before := active
			set(t)
			return func() { set(before) }
		}
	}
	panic("cpu: tier " + t.String() + " is not available")
}

// ForceWithoutFeatures is like [Force], but emulates a processor that has only the tier and none of
// the optional features that kernels use within tiers.
func ForceWithoutFeatures(t Tier) (restore func()) {
	restore = Force(t)
	dropFeatures()
	return restore
}

// A Core is a kind of processor. The kernels of avx2 and avx512 choose between code paths by core,
// based on measurements.
type Core uint8

// The kinds of processors.
const (
	Whole Core = iota // executes on all bits of a register at once
	Split             // executes 512 bits as two halves, like Zen 4
	Intel             // like Whole, but made by Intel
)

var coreNames = [...]string{Whole: "whole", Split: "split", Intel: "intel"}

// String returns the name of c in tests.
func (c Core) String() string { return coreNames[c] }

// Cores returns the kinds that the tiers of this machine and build distinguish.
func Cores() []Core {
	switch available[len(available)-1] {
	case AVX512:
		return []Core{Whole, Split, Intel}
	case AVX2:
		return []Core{Whole, Intel}
	}
	return []Core{Whole}
}

// ForceCore makes the kernels of avx2 and avx512 choose the code paths for c, on any processor,
// until restore is called. The required instructions are the same. Like [Force], it is for tests;
// the two can be combined in any order.
func ForceCore(c Core) (restore func()) {
	set := func(c Core) { core = c; use(active) }
	before := core
	set(c)
	return func() { set(before) }
}
