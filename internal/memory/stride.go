package memory

// rowAlign is the number of float32 values that rows are padded to: 64 bytes, a cache line and a
// full AVX-512 register.
const rowAlign = 16

// Stride returns the number of float32 values from one row to the next of a matrix of so many
// columns: cols rounded up to 16.
func Stride(cols int) int { return (cols + rowAlign - 1) / rowAlign * rowAlign }
