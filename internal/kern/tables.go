package kern

// The assembly refers to these tables by their paths. They are variables, because assembly cannot
// use constants, but nothing writes to them.

// Masks contains 8 lanes of zeros, 16 lanes of ones and 16 lanes of zeros. The mask of the first n
// lanes, of 4 or 8 bytes, starts n lanes before byte 96, where the second zeros begin. The mask of
// all lanes except the first n starts n lanes before byte 32, where the ones begin. The mask of the
// last n lanes of a V-byte vector starts n lanes after byte 32−V.
var Masks = [40]int32{
	8: -1, -1, -1, -1, -1, -1, -1, -1,
	16: -1, -1, -1, -1, -1, -1, -1, -1,
}

// Iota and Iota64 contain the numbers of a vector's lanes. VPERMPS uses the last three bits of an
// index. Indices that start n elements before the middle of Iota move the last n of 8 lanes to the
// front.
var (
	Iota   = [16]int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	Iota64 = [8]int64{0, 1, 2, 3, 4, 5, 6, 7}
)
