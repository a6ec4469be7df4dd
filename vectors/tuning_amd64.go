//go:build !purego

package vectors

import "github.com/simdrank/simdrank/internal/kern"

// blockLen exists for the assembly, which can use only constants of its own package.
const blockLen = kern.BlockLen
