package modelfile

import (
	"reflect"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/files"
)

// numberText is a number, and typedNumbers an array of numbers of one type.
type (
	numberText   string
	typedNumbers struct {
		marker byte
		list   []any
	}
)

// valueOf returns a value with all that is in it.
func valueOf(n Node) any {
	switch n.kind {
	case boolean:
		return n.Bool()
	case number:
		return numberText(n.text(nil))
	case str:
		return n.Text()
	case object:
		members := map[string]any{}
		for name, e := range n.Members() {
			members[name] = valueOf(e)
		}
		return members
	case array, scalars, numbers:
		list := []any{}
		for _, e := range n.List() {
			list = append(list, valueOf(e))
		}
		if n.doc.binary && n.kind == numbers {
			p := ubjsonParser{data: n.doc.text, at: n.at}
			marker, _, _ := p.container(0)
			return typedNumbers{marker, list}
		}
		return list
	}
	return nil
}

func TestUBJSON(t *testing.T) {
	got, err := ParseUBJSON([]byte("{i\x01a[$U#i\x02\x01\xffU\x01b[SC\x01NI\xff\xfeD\x3f\xf8\x00\x00\x00\x00\x00\x00TFZ]i\x01c{#i\x01i\x01dl\x00\x01\x00\x00}"), files.BudgetOf(0))
	_ = got
	if err == nil {
		t.Error("S without a length: no error")
	}
	got, err = ParseUBJSON([]byte("{i\x01a[$U#i\x02\x01\xffU\x01b[C1NI\xff\xfeD\x3f\xf8\x00\x00\x00\x00\x00\x00TFZd\x7f\x80\x00\x00]i\x01c{#i\x01i\x01dl\x00\x01\x00\x00}"), files.BudgetOf(0))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"a": typedNumbers{'U', []any{numberText("1"), numberText("255")}},
		"b": []any{"1", numberText("-2"), numberText("1.5"), true, false, nil, numberText("+Inf")},
		"c": map[string]any{"d": numberText("65536")},
	}
	if !reflect.DeepEqual(valueOf(got), want) {
		t.Errorf("%#v, want %#v", valueOf(got), want)
	}
	// As many elements, each a byte, as there are bytes to the end.
	got, err = ParseUBJSON([]byte("[#i\x02TF"), files.BudgetOf(0))
	if err != nil || !reflect.DeepEqual(valueOf(got), []any{true, false}) {
		t.Errorf("%v, %v, want true and false", got, err)
	}
	for doc, want := range map[string]string{
		"[#i\x03TF":                            "3 elements do not fit into the remaining 2 bytes",
		"{i\x01a[$l#l\x7f\xff\xff\xff\x01":     "byte 14: 2147483647 elements do not fit into the remaining 1 bytes",
		"{i\x01a[#l\x7f\xff\xff\xff\x01":       "elements do not fit",
		"{L\x00\x00\x00\x00\x00\x00\x00\x09ab": "9 elements do not fit into the remaining 2 bytes",
		"{i\xff":                               "-1 elements",
		"{i\x01aQ":                             "'Q' is not a supported type marker",
		"{i\x01a[$T#l\x7f\xff\xff\xff":         "arrays of type 'T' are not supported",
		"{i\x01a[$U\x01":                       "a type must be followed by a length",
		"{i\x01aZi\x01aZ}":                     `"a" appears twice`,
		"{i\x01aZ":                             "ends within",
		"{i\x01aZ}Z":                           "1 unexpected bytes after the end",
		"{f\x01":                               "byte 2: found 'f', expected a length",
		"{i\x02\xff\xfeZ}":                     `"\xff\xfe" is not UTF-8`,
		strings.Repeat("[", 1100):              "nested more than 1024 deep",
	} {
		t.Run(doc, func(t *testing.T) {
			_, err := ParseUBJSON([]byte(doc), files.BudgetOf(0))
			if err == nil || !strings.Contains(err.Error(), want) {
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
	doc, err := ParseJSON([]byte(text), files.BudgetOf(0))
	if err != nil {
		t.Fatal(err)
	}
	b, err := AppendUBJSON(nil, doc, typeOf)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseUBJSON(b, files.BudgetOf(0))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"a": typedNumbers{'d', []any{numberText("0.5"), numberText("-0.001"), numberText("+Inf")}},
		"b": typedNumbers{'I', []any{numberText("1"), numberText("-2"), numberText("300")}},
		"c": []any{numberText("1"), numberText("2.5")}, "d": []any{"x", true, false, nil, map[string]any{}},
		"e": numberText("5000000000"), "f": numberText("-7"), "g": "é",
		"h": typedNumbers{'U', []any{}}, "i": numberText("1000"),
	}
	if !reflect.DeepEqual(valueOf(got), want) {
		t.Errorf("%#v, want %#v", valueOf(got), want)
	}
	for text, want := range map[string]string{`{"b":[1,40000]}`: `"40000" is not a whole number from -32768 to 32767`,
		`{"h":[-1]}`: "from 0 to 255", `{"x":99999999999999999999}`: "is not a whole number"} {
		t.Run(text, func(t *testing.T) {
			doc, err := ParseJSON([]byte(text), files.BudgetOf(0))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := AppendUBJSON(nil, doc, typeOf); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}
