//go:build !purego

package cpu

import "github.com/klauspost/cpuid/v2"

// UseAVX2 and UseAVX512 select the assembly. At most one of them is true.
var UseAVX2, UseAVX512 bool

// UseVBMI is true if UseAVX512 is true and the processor has AVX-512 VBMI, which looks up bytes in
// registers, and VBMI2, which shifts in bits from other elements. Ice Lake, Zen 4 and later
// processors have both.
var UseVBMI bool

// UseVNNI and UseVPOPCNT are true if UseAVX512 is true and the processor has AVX-512 VNNI, which
// adds up products of bytes, or VPOPCNTDQ, which counts bits. If one is missing, kernels that need
// it run the avx2 code.
var UseVNNI, UseVPOPCNT bool

// UseFP512 is true if UseAVX512 is true and the execution units are as wide as the registers. Zen 4
// splits 512-bit operations and reports this in its bit FP256 (CPUID Fn8000_001A, EAX bit 2, in
// AMD's Architecture Programmer's Manual, volume 3, appendix E). On such a processor, a 512-bit
// conversion from float32 to float64 takes 1.33 times as long as two 256-bit conversions, and wider
// loads and stores gain nothing. Kernels that are bound by them convert 256 bits at a time, or run
// the avx2 code.
var UseFP512 bool

// UseIntel is true if UseAVX2 or UseAVX512 is true and the vendor is GenuineIntel (CPUID leaf 0).
// Intel processors prefetch data that streams from L2, and wait for each line that they store to.
// See the constants of package kernels and of internal/order that mention Emerald Rapids.
var UseIntel bool

// UseNEON and UseSDOT are never true on amd64.
const (
	UseNEON = false
	UseSDOT = false
)

// detect checks the processor, and the operating system's support for the registers, because a
// virtual machine may mask either.
func detect() (tiers []Tier, kind Core) {
	if cpuid.CPU.Supports(cpuid.AVX, cpuid.AVX2, cpuid.FMA3, cpuid.F16C, cpuid.POPCNT) {
		tiers = append(tiers, AVX2)
		if cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512DQ, cpuid.AVX512VL, cpuid.AVX512BW) {
			tiers = append(tiers, AVX512)
		}
	}
	switch {
	case cpuid.CPU.VendorID == cpuid.Intel:
		kind = Intel
	case cpuid.CPU.Has(cpuid.FP256):
		kind = Split
	}
	return tiers, kind
}

func use(t Tier) {
	UseAVX2 = t == AVX2
	UseAVX512 = t == AVX512
	UseVBMI = UseAVX512 && cpuid.CPU.Has(cpuid.AVX512VBMI) && cpuid.CPU.Has(cpuid.AVX512VBMI2)
	UseVNNI = UseAVX512 && cpuid.CPU.Has(cpuid.AVX512VNNI)
	UseVPOPCNT = UseAVX512 && cpuid.CPU.Has(cpuid.AVX512VPOPCNTDQ)
	UseFP512 = UseAVX512 && core != Split
	UseIntel = (UseAVX2 || UseAVX512) && core == Intel
}

func dropFeatures() {
	UseVBMI, UseVNNI, UseVPOPCNT, UseFP512, UseIntel = false, false, false, false, false
}
