package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
)

// EnumName returns names[v], or kind and the number if v has no name.
func EnumName[T ~int | ~uint8](kind string, names []string, v T) string {
	if i := int(v); i >= 0 && i < len(names) && names[i] != "" {
		return names[i]
	}
	return fmt.Sprintf("%s(%d)", kind, int(v))
}

// ParseEnum returns the value of a name. It returns an error of package op if the name is unknown.
// The error lists the names and calls them by the noun of, such as "loss".
func ParseEnum[T ~int | ~uint8](op, of string, names []string, name string) (T, error) {
	if i := slices.Index(names, name); i >= 0 && name != "" {
		return T(i), nil
	}
	known := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "" })
	return 0, errs.Errorf(op, "%s %q: must be one of %s", of, name, strings.Join(known, ", "))
}

// Choose returns a word that is in a list, or the first of the list for "". For an unknown word it
// returns an error like [ParseEnum].
func Choose(op, of string, words []string, word string) (string, error) {
	word = cmp.Or(word, words[0])
	_, err := ParseEnum[int](op, of, words, word)
	return word, err
}
