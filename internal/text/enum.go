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

// ParseEnum returns the value of a name. An unknown one is an error of package op that calls the
// names by the noun of, such as "loss", and lists them.
func ParseEnum[T ~int | ~uint8](op, of string, names []string, name string) (T, error) {
	if i := slices.Index(names, name); i >= 0 && name != "" {
		return T(i), nil
	}
	known := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "" })
	return 0, errs.Errorf(op, "%s %q: want one of %s", of, name, strings.Join(known, ", "))
}

// Choose returns a word that is one of a list, or the first of the list for "". An unknown word is
// an error as [ParseEnum] has it.
func Choose(op, of string, words []string, word string) (string, error) {
	word = cmp.Or(word, words[0])
	_, err := ParseEnum[int](op, of, words, word)
	return word, err
}
