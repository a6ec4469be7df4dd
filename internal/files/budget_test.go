package files

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/simdrank/simdrank/rank"
)

func TestBudget(t *testing.T) {
	for name, c := range map[string]struct {
		size    int64
		options []rank.ReadOptions
		limit   int64
	}{
		"pipe":       {0, nil, 2 << 30},
		"small file": {1 << 20, []rank.ReadOptions{{}}, 2 << 30},
		"large file": {1 << 30, nil, 64 << 30},
		"huge file":  {math.MaxInt64, nil, 64 << 50},
		"limit":      {1 << 30, []rank.ReadOptions{{MemoryLimit: 750}}, 750},
		"last limit": {1 << 30, []rank.ReadOptions{{MemoryLimit: 750}, {MemoryLimit: 50}}, 50},
	} {
		t.Run(name, func(t *testing.T) {
			c.limit = min(c.limit, math.MaxInt)
			b := BudgetOf(c.size, c.options...)
			if b.Left() != c.limit {
				t.Errorf("%d bytes, want %d", b.Left(), c.limit)
			}
			if err := b.Hold("the rows", c.limit-10); err != nil {
				t.Error(err)
			}
			for _, bytes := range []int64{11, math.MaxInt64, -1} {
				option := (*rank.OptionError)(nil)
				if err := b.Hold("the rows", bytes); !errors.As(err, &option) || option.Option != "MemoryLimit" {
					t.Errorf("%d bytes: %v", bytes, err)
				}
			}
			if b.Left() != 10 {
				t.Errorf("%d bytes are left, want 10", b.Left())
			}
		})
	}
}

func TestBudgetReader(t *testing.T) {
	const content = "0123456789"
	for name, c := range map[string]struct {
		limit, each int64
		ok          bool
	}{
		"fits":        {10, 1, true},
		"too long":    {9, 1, false},
		"fits thrice": {30, 3, true},
		"too large":   {29, 3, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := BudgetOf(0, rank.ReadOptions{MemoryLimit: c.limit})
			got, err := io.ReadAll(b.Reader(strings.NewReader(content), "the lines", c.each))
			if (err == nil) != c.ok || c.ok && string(got) != content {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

func TestBudgetReadAll(t *testing.T) {
	content := strings.Repeat("0123456789", 1000)
	for name, c := range map[string]struct {
		limit, size int64
		ok          bool
	}{
		"size known":           {11 << 10, 10000, true},
		"size unknown":         {24 << 10, 0, true}, // 8 KiB and 16 KiB at once
		"too small to grow":    {24<<10 - 1, 0, false},
		"too small for a size": {10000, 10000, false},
		"a size that is wrong": {1 << 20, 3, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := BudgetOf(0, rank.ReadOptions{MemoryLimit: c.limit})
			got, err := b.ReadAll(strings.NewReader(content), "the lines", c.size)
			if option := (*rank.OptionError)(nil); c.ok != (err == nil) || c.ok == errors.As(err, &option) {
				t.Fatal(err)
			}
			if c.ok && (string(got) != content || b.Left() != c.limit-int64(cap(got))) {
				t.Errorf("%d bytes, %d left of %d", len(got), b.Left(), c.limit)
			}
		})
	}
	broken := iotest.ErrReader(io.ErrUnexpectedEOF)
	if _, err := BudgetOf(0).ReadAll(broken, "the lines", 0); err != io.ErrUnexpectedEOF {
		t.Error(err)
	}
}
