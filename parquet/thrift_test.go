package parquet

import (
	"fmt"
	"testing"
)

// The identifier of a field is the distance from the previous one or, if the distance does not fit
// in four bits, the next number.
func TestWalkerFields(t *testing.T) {
	w := &walker{b: []byte{
		0x10 | typeTrue,   // field 1
		0xf0 | typeI32, 2, // field 16
		typeI32, 0xac, 2, 4, // field 150
		0x10 | typeFalse, // field 151
		typeByte, 3, 9,   // field −2
		0x30 | typeBinary, 2, 'a', 'b', // field 1
		typeStop,
	}}
	got := ""
	w.fields(0, func(id int, kind byte) bool {
		got += fmt.Sprintf("%d:%d ", id, kind)
		return false
	})
	if want := "1:1 16:5 150:5 151:2 -2:3 1:8 "; got != want || w.err != nil || w.at != len(w.b) {
		t.Errorf("%q at %d, %v; want %q", got, w.at, w.err, want)
	}
}
