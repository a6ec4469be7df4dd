package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
)

// EnumName returns names[v] or, for a v without a name, kind and the number.
func EnumName[T ~int | ~uint8](kind string, names []string, v T) string {
	if i := int(v); i >= 0 && i < len(names) && names[i] != "" {
		return names[i]
	}
	return fmt.Sprintf("%s(%d)", kind, int(v))
}

// ParseEnum returns the value of a name. An unknown one is an error that lists the names and says
// what they are of, a package and a noun, as in "rank: loss".
func ParseEnum[T ~int | ~uint8](of string, names []string, name string) (T, error) {
	if i := slices.Index(names, name); i >= 0 && name != "" {
		return T(i), nil
	}
	known := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "" })
	op, noun, _ := strings.Cut(of, ": ")
	return 0, errs.Errorf(op, "%s %q: want one of %s", noun, name, strings.Join(known, ", "))
}

// Choose returns a word that is one of a list, or the first of the list for "". An unknown word is
// an error that lists the words and says what they are of, as [ParseEnum] does.
func Choose(of string, words []string, word string) (string, error) {
	word = cmp.Or(word, words[0])
	_, err := ParseEnum[int](of, words, word)
	return word, err
}
