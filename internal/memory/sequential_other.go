//go:build !linux

package memory

// Sequential does nothing: package syscall has no advice here, and Windows takes it when a file is
// opened, not for mappings.
func Sequential([]byte) {}
