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

// A mutation replaces bytes of one file.
type mutation struct {
	target
	line       int
	function   string // or the macro, or the table
	from, to   string // an instruction or a line of Go, before and after, without comments
	start, end int    // what is replaced
	text       string // what replaces it
	again      int    // how many mutations above it in the file have the same function, from and to
}

// key names a mutation in the list of equivalents. It holds no line number and no directory, so
// that changes elsewhere leave it alone.
func (m *mutation) key() string {
	key := fmt.Sprintf("%s: %s: - %s + %s", filepath.Base(m.path), m.function, m.from, m.to)
	if m.again > 0 {
		key += fmt.Sprintf(" #%d", m.again+1)
	}
	return key
}

// String is the key with the place.
func (m *mutation) String() string {
	return fmt.Sprintf("%s:%d%s", m.path, m.line, strings.TrimPrefix(m.key(), filepath.Base(m.path)))
}

// mutations returns all mutations of a target, in the order of the file.
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

// draw puts mutations into the order in which a seed draws them: one of each place (an instruction,
// a line of Go), then a second, and so on. The order is by hashes of keys, so that a change of the
// source moves no mutation but its own.
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
		// Not the number of the line: the first mutation of a place stands for it.
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

// normal returns code with its runs of spaces made one, and what stands for none.
func normal(code string) string {
	if code = strings.Join(strings.Fields(code), " "); code == "" {
		return "(deleted)"
	}
	return code
}
