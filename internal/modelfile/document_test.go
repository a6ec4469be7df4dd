package modelfile

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// members returns the members of an object with so many names, with a value each.
func members(n int, format, between string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(list, between)
}

// A hostileText is a document of which a byte stands for as much as possible.
type hostileText struct {
	text  string
	parse func(data []byte, budget *files.Budget) (Node, error)
}

// hostileTexts returns such documents of about n values.
func hostileTexts(n int) map[string]hostileText {
	nested := strings.Repeat("[", 1000) + strings.Repeat("]", 1000)
	return map[string]hostileText{
		"numbers":          {"[" + strings.Repeat("1,", n) + "1]", ParseJSON},
		"words":            {"[" + strings.Repeat("true,", n) + "1]", ParseJSON},
		"strings":          {"[" + strings.Repeat(`"",`, n) + "1]", ParseJSON},
		"mixed":            {"[" + strings.Repeat("1,", n) + "[]]", ParseJSON},
		"arrays":           {"[" + strings.Repeat("[],", n) + "1]", ParseJSON},
		"objects":          {"[" + strings.Repeat("{},", n) + "1]", ParseJSON},
		"small objects":    {"[" + strings.Repeat(`{"":1},`, n) + "1]", ParseJSON},
		"deep arrays":      {"[" + strings.Repeat(nested+",", n/1000) + "1]", ParseJSON},
		"members":          {"{" + members(n, `"%x":1`, ",") + "}", ParseJSON},
		"escaped members":  {"{" + members(n, `"\u0061%x":1`, ",") + "}", ParseJSON},
		"UBJSON words":     {"[" + strings.Repeat("T", n) + "]", ParseUBJSON},
		"UBJSON arrays":    {"[" + strings.Repeat("[]", n) + "]", ParseUBJSON},
		"UBJSON numbers":   {"[$U#l\x00\x01\x00\x00" + strings.Repeat("1", 1<<16), ParseUBJSON},
		"UBJSON members":   {"{" + members(n, "i\x05%05xT", "") + "}", ParseUBJSON},
		"UBJSON deep ones": {"[" + strings.Repeat(nested, n/1000) + "]", ParseUBJSON},
	}
}

// TestParseMemory: a document takes a small multiple of its length, which the budget counts.
func TestParseMemory(t *testing.T) {
	testkit.SkipShort64(t)
	for name, c := range hostileTexts(100000) {
		t.Run(name, func(t *testing.T) {
			text := []byte(c.text)
			budget := files.BudgetOf(0)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			n, err := c.parse(text, budget)
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			spent, held := int64(after.TotalAlloc-before.TotalAlloc), files.BudgetOf(0).Left()-budget.Left()
			// Escaped names are decoded each time that they are compared, and forgotten.
			if limit := 7*int64(len(text)) + 1<<17; held > limit || spent > limit && name != "escaped members" {
				t.Errorf("%d bytes took %d and hold %d, want at most %d", len(text), spent, held, limit)
			}
			for name := range n.Members() {
				if i := n.member(name); i < 0 || n.HasKey("no") {
					t.Fatalf("%q is not found", name)
				}
			}
			_, err = c.parse(text, files.BudgetOf(0, rank.ReadOptions{MemoryLimit: max(held-1, 1)}))
			if option := (*rank.OptionError)(nil); !errors.As(err, &option) || !strings.Contains(err.Error(),
				"the values of the file need ") {
				t.Errorf("with one byte less: error %v", err)
			}
		})
	}
}
