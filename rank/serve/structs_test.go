package serve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

type hotel struct {
	Price    float32  `feature:"price"`
	Rating   *float64 `feature:"rating"`
	Distance float64  `feature:"distance"`
	Chain    int      `feature:"chain"`
}

// numbers contains all supported types.
type numbers struct {
	Name string
	F32  float32 `feature:"f32" json:"x"`
	F64  float64 `feature:"f64"`
	I    int     `feature:"i"`
	I8   int8    `feature:"i8"`
	deep
	I32 int32  `feature:"i32"`
	I64 int64  `feature:"i64"`
	U   uint   `feature:"u"`
	U8  uint8  `feature:"u8"`
	U16 uint16 `feature:"u16"`
	U32 uint32 `feature:"u32"`
	U64 uint64 `feature:"u64"`
	hotel
	Off *bool  `feature:"off"`
	Nil *uint8 `feature:"nil value"`
}

type deep struct {
	I16 int16 `feature:"i16"`
	on  bool  `feature:"on"`
	*hotel
}

func TestStructRows(t *testing.T) {
	c := columnsOf("nil_value", "off", "on", "u64", "u32", "u16", "u8", "u", "i64", "i32", "i16", "i8", "i", "f64",
		"f32", "chain", "distance", "rating", "price")
	s, err := NewStructRows[numbers](c)
	if err != nil {
		t.Fatal(err)
	}
	off, rating := false, 0.1
	v := numbers{F32: 1.5, F64: 1e300, I: -3, I8: -4, deep: deep{I16: -5, on: true}, I32: -6, I64: 1<<53 + 1, U: 7,
		U8: 200, U16: 60_000, U32: 1 << 31, U64: 1<<64 - 1, Off: &off,
		hotel: hotel{Price: 9, Rating: &rating, Distance: 2, Chain: 3}}
	const want = "[7 NaN 0 1 1.8446744e+19 2.1474836e+09 60000 200 7 9.007199e+15 -6 -5 -4 -3 +Inf 1.5 3 2 0.1 9]"
	for range 2 {
		if got := showRow(s.AppendRow([]float32{7}, &v)); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestStructRowsErrors(t *testing.T) {
	ab := columnsOf("a", "b")
	ignore := ab
	ignore.IgnoreUnknown = true
	type extra struct {
		C string  `feature:"c"`
		A float32 `feature:"a"`
		B float32 `feature:"b"`
	}
	for want, c := range map[string]struct{ err error }{
		"serve: the model has no feature names":                 {failure(NewStructRows[extra](Columns{}))},
		"serve: type int is not supported: it must be a struct": {failure(NewStructRows[int](ab))},
		"serve: type *serve.hotel is not supported":             {failure(NewStructRows[*hotel](ab))},
		`serve: type struct { A int "feature:\"a\"" } has no field for the feature "b"`: {
			failure(NewStructRows[struct {
				A int `feature:"a"`
			}](ab))},
		`serve: field C of serve.extra: the model has no feature named "c" (set IgnoreUnknown to ignore it)`: {
			failure(NewStructRows[extra](ab))},
		"<nil>": {failure(NewStructRows[extra](ignore))},
		`another field has the feature "a"`: {failure(NewStructRows[struct {
			A int `feature:"a"`
			B int `feature:"a"`
		}](ab))},
		"field A of struct { A string \"feature:\\\"a\\\"\" }: type string is not supported: it must be a number, a boolean, " +
			"or a pointer to one": {failure(NewStructRows[struct {
			A string `feature:"a"`
		}](ab))},
		"type **int is not supported": {failure(NewStructRows[struct {
			A **int `feature:"a"`
		}](ab))},
		"type complex64 is not supported": {failure(NewStructRows[struct {
			A complex64 `feature:"a"`
		}](ab))},
	} {
		t.Run(want, func(t *testing.T) {
			if got := fmt.Sprint(c.err); !strings.Contains(got, want) {
				t.Errorf("error %s, want %s", got, want)
			}
		})
	}
}

func failure[T any](s *StructRows[T], err error) error {
	if (s == nil) == (err == nil) {
		panic(testkit.JSON(s))
	}
	return err
}
