package testkit

import (
	"strconv"
	"testing"
)

// SkipShort64 skips a test of memory limits or of long loops under -short, with which CI runs the
// tests on emulated processors. Its result can differ only if an int has 32 bits.
func SkipShort64(t *testing.T) {
	t.Helper()
	if testing.Short() && strconv.IntSize == 64 {
		t.Skip("the result is the same on every 64-bit processor")
	}
}
