package modelfile

import (
	"reflect"
	"strings"
	"testing"
)

func TestUBJSON(t *testing.T) {
	got, err := ParseUBJSON([]byte("{i\x01a[$U#i\x02\x01\xffU\x01b[SC\x01NI\xff\xfeD\x3f\xf8\x00\x00\x00\x00\x00\x00TFZ]i\x01c{#i\x01i\x01dl\x00\x01\x00\x00}"))
	_ = got
	if err == nil {
		t.Error("S without a length: no error")
	}
	got, err = ParseUBJSON([]byte("{i\x01a[$U#i\x02\x01\xffU\x01b[C1NI\xff\xfeD\x3f\xf8\x00\x00\x00\x00\x00\x00TFZd\x7f\x80\x00\x00]i\x01c{#i\x01i\x01dl\x00\x01\x00\x00}"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"a": byteNumbers{'U', []byte{1, 255}},
		"b": []any{"1", Number("-2"), Number("1.5"), true, false, nil, Number("+Inf")},
		"c": map[string]any{"d": Number("65536")},
	}
	if !reflect.DeepEqual(got.Value, want) {
		t.Errorf("%#v, want %#v", got.Value, want)
	}
	// As many elements, each a byte, as there are bytes to the end.
	if got, err := ParseUBJSON([]byte("[#i\x02TF")); err != nil || !reflect.DeepEqual(got.Value, []any{true, false}) {
		t.Errorf("%v, %v, want true and false", got, err)
	}
	for doc, want := range map[string]string{
		"[#i\x03TF":                            "3 elements in the 2 bytes that are left",
		"{i\x01a[$l#l\x7f\xff\xff\xff\x01":     "byte 14: 2147483647 elements in the 1 bytes that are left",
		"{i\x01a[#l\x7f\xff\xff\xff\x01":       "elements in the",
		"{L\x00\x00\x00\x00\x00\x00\x00\x09ab": "9 elements in the 2 bytes",
		"{i\xff":                               "-1 elements",
		"{i\x01aQ":                             "'Q' is no marker",
		"{i\x01a[$T#l\x7f\xff\xff\xff":         "an array of the type 'T'",
		"{i\x01a[$U\x01":                       "a type without a length",
		"{i\x01aZi\x01aZ}":                     `"a" is there twice`,
		"{i\x01aZ":                             "ends within",
		"{i\x01aZ}Z":                           "1 bytes after the end",
		"{f\x01":                               "byte 2: 'f' where a length should stand",
		"{i\x02\xff\xfeZ}":                     `"\xff\xfe" is not UTF-8`,
		strings.Repeat("[", 1100):              "more than 1024 arrays and objects",
	} {
		t.Run(doc, func(t *testing.T) {
			if _, err := ParseUBJSON([]byte(doc)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

// TestAppendUBJSON: what is written of JSON is the same document.
func TestAppendUBJSON(t *testing.T) {
	const text = `{"b":[1,-2,300],"a":[0.5,-1E-3,Infinity],"c":[1,2.5],"d":["x",true,false,null,{}],"e":5000000000,` +
		`"f":-7,"g":"é","h":[],"i":1e3}`
	typeOf := func(key string) byte { return map[string]byte{"a": 'd', "b": 'I', "h": 'U'}[key] }
	doc, err := ParseJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	b, err := AppendUBJSON(nil, doc, typeOf)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseUBJSON(b)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"a": byteNumbers{'d', []byte{0x3f, 0, 0, 0, 0xba, 0x83, 0x12, 0x6f, 0x7f, 0x80, 0, 0}},
		"b": byteNumbers{'I', []byte{0, 1, 0xff, 0xfe, 1, 44}},
		"c": []any{Number("1"), Number("2.5")}, "d": []any{"x", true, false, nil, map[string]any{}},
		"e": Number("5000000000"), "f": Number("-7"), "g": "é", "h": byteNumbers{'U', []byte{}}, "i": Number("1000"),
	}
	if !reflect.DeepEqual(got.Value, want) {
		t.Errorf("%#v, want %#v", got.Value, want)
	}
	for text, want := range map[string]string{`{"b":[1,40000]}`: `"40000" is not a whole number from -32768 to 32767`,
		`{"h":[-1]}`: "from 0 to 255", `{"x":99999999999999999999}`: "is not a whole number"} {
		t.Run(text, func(t *testing.T) {
			doc, err := ParseJSON([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := AppendUBJSON(nil, doc, typeOf); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}
