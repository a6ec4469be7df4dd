package trec

import "testing"

func TestIsJSON(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "{": false, " \r\n{ \t": false, "{}": true, "\ufeff {\n\"q\"": true, "{x": false, "[\"q\"": false,
		"{{}": false, "{ }": true, "\"{}": false, "q{\"": false,
	} {
		t.Run(text, func(t *testing.T) {
			if got := isJSON([]byte(text)); got != want {
				t.Errorf("%t, want %t", got, want)
			}
		})
	}
}
