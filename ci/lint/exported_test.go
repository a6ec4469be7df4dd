package main

import (
	"slices"
	"testing"
)

func TestExported(t *testing.T) {
	const head = "package rank\n\nimport order \"toy/internal/sorting\"\n\n"
	const misnamed = "rank/read.go:5: Row: a function that appends to dst and returns it must be named Append…, " +
		"and one that fills it …Into"
	const unlimited = "rank/read.go:5: Read: the last parameter of a reader must be the memory limit: " +
		"...rank.ReadOptions or data.Options"
	shows := func(name string) string {
		return "rank/read.go:5: an exported declaration contains order." + name + " of an internal package"
	}
	for _, c := range []struct{ name, source, want string }{
		{"inside", "type Reader struct { Size int; keys order.Keys }\nvar keys order.Keys", ""},
		{"an unexported function", "func read(k order.Keys) order.Keys", ""},
		{"a method of an unexported type", "func (r *reader) Keys() order.Keys", ""},
		{"what a function does", "func Size() int { return order.Most }", ""},
		{"a parameter", "func Size(k order.Keys)", shows("Keys")},
		{"a result", "func (r Reader) Keys() []order.Keys", shows("Keys")},
		{"a generic receiver", "func (s *Set[T]) Keys(f func(order.Keys))", shows("Keys")},
		{"a constraint", "func Sort[T order.Real](x T)", shows("Real")},
		{"a type parameter", "type Set[T order.Real] struct{}", shows("Real")},
		{"a field", "type Reader struct { keys, Keys map[string]order.Keys }", shows("Keys")},
		{"an embedded type", "type Reader struct { *order.Keys }", shows("Keys")},
		{"a method of an interface", "type Reader interface { Read(order.Keys) }", shows("Keys")},
		{"an alias", "type Keys = order.Keys", shows("Keys")},
		{"a variable", "var None order.Keys", shows("Keys")},
		{"a literal", "var None = &order.Keys{}", shows("Keys")},
		{"a constant", "const Most = order.Most", shows("Most")},
		{"an append", "func (r *Reader) AppendRow(dst []float64) (row []float64, err error)", ""},
		{"a fill", "func (r *Reader) RowInto(dst []float64) error", ""},
		{"an append without a name", "func Row(dst []float64) []float64", misnamed},
		{"a fill without a name", "func Row(dst []float64) ([]int, error)", misnamed},
		{"a reader with a limit", "func Read(r io.Reader, o ...rank.ReadOptions) error", ""},
		{"a reader with options", "func Size(r io.ReaderAt, o Options) error", ""},
		{"a reader of nothing", "func (r *Reader) Read() error", ""},
		{"a reader without a limit", "func Read(r io.Reader) error", unlimited},
		{"a file without a limit", "func Read(path string) error", unlimited},
		{"a reader with other options", "func Read(r io.Reader, o rank.Evaluator) error", unlimited},
		{"a reader inside", "func (r *reader) Read(b []byte) (int, error)", ""},
		{"a bounded reader", "func (m *Metric) UnmarshalText(text []byte) error", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want []string
			if c.want != "" {
				want = []string{c.want}
			}
			p := &project{root: "/toy", api: map[string]bool{}}
			if err := p.exported("/toy/rank/read.go", []byte(head+c.source+"\n")); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(p.found, want) {
				t.Errorf("found %q, want %q", p.found, want)
			}
		})
	}
}

// TestExportedFiles tests which files may contain internal types in exported declarations.
func TestExportedFiles(t *testing.T) {
	for path, want := range map[string]int{
		"rank/read.go":          1,
		"beam/read.go":          1,
		"internal/cli/read.go":  0,
		"beam/internal/read.go": 0,
		"bench/read.go":         0,
		"rank/read_test.go":     0,
	} {
		t.Run(path, func(t *testing.T) {
			p := &project{root: "/toy", api: map[string]bool{}}
			const source = "package x\n\nimport \"toy/internal/cli\"\n\nvar X cli.Flags\n"
			if err := p.exported("/toy/"+path, []byte(source)); err != nil {
				t.Fatal(err)
			}
			if len(p.found) != want {
				t.Errorf("found %q, want %d problems", p.found, want)
			}
		})
	}
}
