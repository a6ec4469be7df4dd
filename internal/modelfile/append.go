package modelfile

import (
	"math"
	"strconv"
)

// AppendList appends a JSON array; one appends each element.
func AppendList[T any](b []byte, list []T, one func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = one(b, v)
	}
	return append(b, ']')
}

// AppendInt appends an integer.
func AppendInt[T int32 | int64 | uint32](b []byte, v T) []byte {
	return strconv.AppendInt(b, int64(v), 10)
}

// AppendFloat32 appends a number with the fewest digits that restore it exactly.
func AppendFloat32(b []byte, v float32) []byte {
	if math.IsInf(float64(v), 0) { // JSON has no infinities; this number is read as infinite
		return strconv.AppendFloat(b, math.Copysign(1e39, float64(v)), 'g', -1, 64)
	}
	return strconv.AppendFloat(b, float64(v), 'g', -1, 32)
}

// AppendFloat64 is like AppendFloat32 but for a float64, which must be finite.
func AppendFloat64(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'g', -1, 64) }
