//go:build !purego

package main

import "github.com/klauspost/cpuid/v2"

// cpuName is the name that the processor reports.
func cpuName() string { return cpuid.CPU.BrandName }
