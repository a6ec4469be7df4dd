//go:build !linux

package memory

// Sequential does nothing: package syscall has no such function here, and Windows accepts the
// advice only when a file is opened, not for mappings.
func Sequential([]byte) {}
