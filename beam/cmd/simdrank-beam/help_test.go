package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"
)

// TestHelp checks that help is short and complete: usage and an example come first, and flags are
// noun phrases whose values have names of their own.
func TestHelp(t *testing.T) {
	for _, cmd := range newRoot().Commands() {
		if cmd.Name() == "help" {
			continue
		}
		t.Run(cmd.Name(), func(t *testing.T) {
			help := helpText(cmd)
			if !strings.HasPrefix(help, cmd.Short+".\n\nUsage:\n  simdrank-beam "+cmd.Name()) ||
				cmd.Example == "" || !strings.Contains(help, "\n\nExample:\n"+cmd.Example+"\n") {
				t.Errorf("help begins with %.300q", help)
			}
			if n := strings.Count(cmd.Long, "\n") + 1; n > 15 {
				t.Errorf("%d lines of text, want at most 15", n)
			}
			cmd.Flags().VisitAll(func(f *pflag.Flag) {
				noun, usage := pflag.UnquoteUsage(f)
				switch {
				case f.Hidden || f.Name == "help":
				case utf8.RuneCountInString(usage) > 60:
					t.Errorf("--%s: %d characters: %s", f.Name, utf8.RuneCountInString(usage), usage)
				case noun == "string" || noun == "int" || noun == "uint" || noun == "float" || noun == "float32":
					t.Errorf("--%s %s: the value has no name", f.Name, noun)
				case !strings.Contains(help, usage):
					t.Errorf("help does not list --%s", f.Name)
				}
			})
		})
	}
}
