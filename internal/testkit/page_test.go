package testkit

import (
	"slices"
	"testing"
)

func TestWords(t *testing.T) {
	for line, want := range map[string][]string{
		"":                                 nil,
		"# a comment":                      nil,
		"a -b c # a comment":               {"a", "-b", "c"},
		"a --b='c d' \"e f\" ''":           {"a", "--b=c d", "e f", ""},
		"a ndcg@10 < in | b #1 > out":      {"a", "ndcg@10", "<", "in", "|", "b"},
		"a <in|b>out":                      {"a", "<", "in", "|", "b", ">", "out"},
		"a --space 'trees=1..2 (log)' c#d": {"a", "--space", "trees=1..2 (log)", "c#d"},
	} {
		t.Run(CaseName(line), func(t *testing.T) {
			if got := (&page{}).words(line); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestBlocksOf(t *testing.T) {
	const page = "# A\n\n```sh\na\n```\n\n<!-- file: x -->\n```python\nb\n```\n\n<!-- fails -->\n```sh\nc\n```\n" +
		"```text\nd\n```\n"
	want := []block{
		{3, "", "sh", "a\n", 11}, {8, "file: x", "python", "b\n", 45}, {13, "fails", "sh", "c\n", 73},
		{16, "", "text", "d\n", 87},
	}
	if got := blocksOf(page); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
