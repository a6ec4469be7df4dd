package testkit

import (
	"strconv"
	"testing"
)

// SkipShort64 skips a test of memory limits or of long loops under -short, which CI uses on
// emulated processors. The result of such a test can differ only if int has 32 bits.
func SkipShort64(t *testing.T) {
	t.Helper()
	if testing.Short() && strconv.IntSize == 64 {
		t.Skip("the result is the same on every 64-bit processor")
	}
}
