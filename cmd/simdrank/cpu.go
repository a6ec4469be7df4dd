//go:build !purego

package main

import "github.com/klauspost/cpuid/v2"

// cpuName is what the processor calls itself.
func cpuName() string { return cpuid.CPU.BrandName }
