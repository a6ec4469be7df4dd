//go:build unix

package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A mutation replaces bytes in one file.
type mutation struct {
	target
	line       int
	function   string // or macro, or table
	from, to   string // the instruction or line of Go before and after, without comments
	start, end int    // the replaced bytes
	text       string // the replacement
	again      int    // number of earlier mutations in the file with the same function, from and to
}

// key identifies a mutation in the list of equivalents. It contains no line number and no
// directory, so that changes elsewhere do not affect it.
func (m *mutation) key() string {
	key := fmt.Sprintf("%s: %s: - %s + %s", filepath.Base(m.path), m.function, m.from, m.to)
	if m.again > 0 {
		key += fmt.Sprintf(" #%d", m.again+1)
	}
	return key
}

// String returns the key with the file and line.
func (m *mutation) String() string {
	return fmt.Sprintf("%s:%d%s", m.path, m.line, strings.TrimPrefix(m.key(), filepath.Base(m.path)))
}

// mutations returns all mutations of a target, in file order.
func mutations(root string, t target) ([]*mutation, error) {
	source, err := os.ReadFile(filepath.Join(root, t.path))
	if err != nil {
		return nil, err
	}
	var all []*mutation
	if strings.HasSuffix(t.path, ".go") {
		all, err = mutateGo(t.path, source)
	} else {
		all = mutateAssembly(t.tier.arch, strings.Contains(t.path, "_avx512_"), string(source))
	}
	seen := map[string]int{}
	for _, m := range all {
		m.target = t
		key := m.key()
		m.again = seen[key]
		seen[key]++
	}
	return all, err
}

// draw sorts mutations into the random order of a seed: first one mutation of each place (an
// instruction or a line of Go), then a second one, and so on. The order depends on hashes of the
// keys. A change of the source therefore moves only its own mutations.
func draw(all []*mutation, seed uint64) {
	type rank struct {
		round       int
		place, self uint64
	}
	ranks := map[*mutation]*rank{}
	places := map[string][]*mutation{}
	for _, m := range all {
		place := fmt.Sprint(m.tier.name, " ", m.path, " ", m.line, " ", m.function, " ", m.from)
		places[place] = append(places[place], m)
		// Use the first mutation of a place instead of its line number.
		ranks[m] = &rank{place: hash(seed, "place", m.tier.name, places[place][0].key()),
			self: hash(seed, m.tier.name, m.key())}
	}
	for _, ms := range places {
		slices.SortFunc(ms, func(a, b *mutation) int { return cmp.Compare(ranks[a].self, ranks[b].self) })
		for i, m := range ms {
			ranks[m].round = i
		}
	}
	slices.SortStableFunc(all, func(a, b *mutation) int {
		x, y := ranks[a], ranks[b]
		return cmp.Or(cmp.Compare(x.round, y.round), cmp.Compare(x.place, y.place), cmp.Compare(x.self, y.self))
	})
}

func hash(seed uint64, parts ...string) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %q", seed, parts))
	return binary.BigEndian.Uint64(sum[:])
}

// normal returns code with runs of spaces replaced by one space, and a placeholder for empty code.
func normal(code string) string {
	if code = strings.Join(strings.Fields(code), " "); code == "" {
		return "(deleted)"
	}
	return code
}
