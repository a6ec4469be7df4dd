//go:build !purego

package cpu

import "github.com/klauspost/cpuid/v2"

// What the kernels branch on; at most one is true.
var UseAVX2, UseAVX512 bool

// UseVBMI is true beside UseAVX512 where the processor has AVX-512 VBMI, which looks bytes up in
// registers, and VBMI2, which shifts bits in from other elements: Ice Lake, Zen 4 and later ones.
var UseVBMI bool

// UseVNNI and UseVPOPCNT are true beside UseAVX512 where the processor has AVX-512 VNNI, which adds
// up products of bytes, and VPOPCNTDQ, which counts bits. Without one, kernels that want it run the
// code of avx2.
var UseVNNI, UseVPOPCNT bool

// UseFP512 is true beside UseAVX512 where the units that compute are as wide as its registers. Zen
// 4 splits what has 512 bits, and says so: its bit FP256 is set (CPUID Fn8000_001A, EAX bit 2, in
// AMD's Architecture Programmer's Manual, volume 3, appendix E). Conversions of 512 bits from
// float32 to float64 take 1.33 times as long there as two of 256, and loads and stores gain
// nothing, so kernels that these bind convert by 256 bits, or run the code of avx2.
var UseFP512 bool

// UseIntel is true beside UseAVX2 or UseAVX512 on a processor of Intel, whose vendor is
// GenuineIntel (CPUID leaf 0). It fetches by itself what streams from L2, and waits for each line
// that it stores to: see the constants of package kernels and of internal/order that name an
// Emerald Rapids.
var UseIntel bool

// Never true on amd64.
const (
	UseNEON = false
	UseSDOT = false
)

// detect asks the processor, and the operating system for the registers' state:
// a virtual machine may mask either.
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
