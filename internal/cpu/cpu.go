// Package cpu decides which tier of kernels runs.
//
// The tier is detected once, when the program starts, and may be narrowed by
// the environment variable SIMDRANK_CPU (generic, avx2, avx512 or neon). A
// request that this machine cannot honor leaves the detected tier in place and
// is reported by [Err]: a library must not end its user's program over a
// variable.
//
// Kernels branch on [UseAVX2], [UseAVX512] and [UseNEON]. Where assembly is not
// built (other architectures, the purego tag) these are constants and the
// branches fold away.
package cpu

import (
	"fmt"
	"os"
	"strings"
)

// A Tier names a set of kernels. All tiers return the same bits.
type Tier uint8

// The tiers. Those of one architecture are in order of preference.
const (
	Generic Tier = iota // plain Go, the reference
	AVX2                // AVX2, FMA3, F16C and POPCNT
	AVX512              // AVX-512 F, DQ, VL and BW, beside AVX2
	NEON                // the baseline of arm64
)

var names = [...]string{Generic: "generic", AVX2: "avx2", AVX512: "avx512", NEON: "neon"}

// String returns the name that SIMDRANK_CPU takes.
func (t Tier) String() string { return names[t] }

// EnvVar is the environment variable that asks for a tier.
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

// choose returns the tier that want names, or the best available one with an
// error when want names none of them. An empty want asks for the best.
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
	return best, fmt.Errorf("%s=%s: this machine and build have %s; running %s",
		EnvVar, want, strings.Join(has, ", "), best)
}

// Active returns the tier that runs.
func Active() Tier { return active }

// Available returns the tiers that this machine and build can run, the best last.
func Available() []Tier { return append([]Tier(nil), available...) }

// Err tells why the tier that SIMDRANK_CPU asks for does not run; nil when it
// runs or none was asked for.
func Err() error { return envErr }

// Force makes t the active tier until restore is called. It is for tests, fuzz
// targets and benchmarks, is not safe beside running kernels, and panics when t
// is not available.
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

// ForceWithoutFeatures is [Force] on a processor that has the tier and none of the features that
// kernels use inside of tiers, where there are some.
func ForceWithoutFeatures(t Tier) (restore func()) {
	restore = Force(t)
	dropFeatures()
	return restore
}

// A Core is a kind of processor. Kernels of avx2 and avx512 treat them differently, by what was
// measured of them.
type Core uint8

// The kinds of processors.
const (
	Whole Core = iota // computes on all bits of a register at once
	Split             // computes on halves of 512 bits: Zen 4
	Intel             // as Whole, but of Intel
)

var coreNames = [...]string{Whole: "whole", Split: "split", Intel: "intel"}

// String returns the name of c in tests.
func (c Core) String() string { return coreNames[c] }

// Cores returns the kinds that the tiers of this machine and build tell apart.
func Cores() []Core {
	switch available[len(available)-1] {
	case AVX512:
		return []Core{Whole, Split, Intel}
	case AVX2:
		return []Core{Whole, Intel}
	}
	return []Core{Whole}
}

// ForceCore makes avx2 and avx512 run what they do on c, whatever runs them, until restore is
// called: the instructions are the same ones. Like [Force], which it goes with in any order, it is
// for tests.
func ForceCore(c Core) (restore func()) {
	set := func(c Core) { core = c; use(active) }
	before := core
	set(c)
	return func() { set(before) }
}
