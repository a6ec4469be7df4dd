package cli

import "testing"

func TestHelp(t *testing.T) {
	tests := []struct {
		name string
		help Help
		text string
	}{
		{"short", Help{Path: "tool run", Short: "Run it."}, "Run it.\n"},
		{"all", Help{
			Path: "tool", Short: "Do things", Usage: []string{"tool a", "tool COMMAND [flags]"}, Example: "  tool run",
			Long: "\nText.\n", More: "  tool stop\n",
			Commands: [][2]string{{"run", "Run it"}, {"stop-everything", "Stop"}},
			Flags:    []HelpSection{{"Flags", "  --x   usage\n"}, {"Nothing", ""}},
			Accepted: []AcceptedWords{{"x", []string{"a", "b"}}},
		}, `Do things.

Usage:
  tool a
  tool COMMAND [flags]

Example:
  tool run

Text.

More examples:
  tool stop

Commands:
  run             Run it
  stop-everything Stop

Flags:
  --x   usage

Accepted values:
  --x                 a, b

Use "tool COMMAND --help" for more information about a command.
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.help.String(); got != tt.text {
				t.Errorf("help is\n%s\nbut must be\n%s", got, tt.text)
			}
		})
	}
}

func TestWrapWords(t *testing.T) {
	tests := []struct {
		name    string
		text    string
		words   []string
		columns int
		want    string
	}{
		{"none", "x: ", nil, 10, "x: "},
		{"one line", "x: ", []string{"ab", "cd"}, 10, "x: ab, cd"},
		{"full line", "x: ", []string{"ab", "cde"}, 10, "x: ab, cde"},
		{"two lines", "x: ", []string{"ab", "cdef", "g"}, 10, "x: ab,\n   cdef, g"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := WrapWords(tt.text, tt.words, 3, tt.columns); got != tt.want {
				t.Errorf("WrapWords is %q, want %q", got, tt.want)
			}
		})
	}
}
