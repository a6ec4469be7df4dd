package fuzz

import (
	"testing"

	"github.com/simdrank/simdrank/kernels"
)

func FuzzL2F64(f *testing.F)     { fuzzDot(f, "L2F64", kernels.L2F64) }
func FuzzL2F32(f *testing.F)     { fuzzDot(f, "L2F32", kernels.L2F32) }
func FuzzCosineF64(f *testing.F) { fuzzDot(f, "CosineF64", kernels.CosineF64) }
func FuzzCosineF32(f *testing.F) { fuzzDot(f, "CosineF32", kernels.CosineF32) }
