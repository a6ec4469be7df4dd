//go:build !purego

package vectors

import "github.com/simdrank/simdrank/internal/kern"

// blockLen is there for the assembly, which sees the constants of its own package.
const blockLen = kern.BlockLen
