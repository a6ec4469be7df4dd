package cli

import (
	"fmt"
	"slices"
	"testing"
)

func TestMemoryLimit(t *testing.T) {
	for _, c := range []struct {
		text string
		want MemoryLimit // 0 for an error
	}{
		{"1", 1}, {"4096B", 4096}, {"3KiB", 3 << 10}, {"512MiB", 512 << 20}, {"4GiB", 4 << 30}, {"2TiB", 2 << 40},
		{"8388607TiB", 8388607 << 40}, {"8388608TiB", 0}, {"9223372036854775807", 1<<63 - 1},
		{"9223372036854775808", 0}, {"0", 0}, {"0GiB", 0}, {"-1", 0}, {"", 0}, {"GiB", 0}, {"1.5GiB", 0}, {"4 GiB", 0},
		{"4G", 0}, {"4gib", 0},
	} {
		t.Run(c.text, func(t *testing.T) {
			var got MemoryLimit
			if err := got.Set(c.text); got != c.want || (err == nil) != (c.want > 0) {
				t.Errorf("%d, %v, want %d", got, err, c.want)
			}
		})
	}
}

func TestFeatures(t *testing.T) {
	if got, err := (Features{nil, 6, 1}).Parse("2,5-6, 6"); err != nil || !slices.Equal(got, []int{1, 4, 5}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := (Features{nil, 4, 0}).Parse("0-1,3"); err != nil || !slices.Equal(got, []int{0, 1, 3}) {
		t.Errorf("from 0: %v, %v", got, err)
	}
	named := Features{[]string{"a", "b-c", "1", "d e"}, 4, 1}
	if got, err := named.Parse("b-c-d e,a"); err != nil || !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("named features: %v, %v", got, err)
	}
	if got, err := named.Monotone("b-c-,1+, 1+"); err != nil || !slices.Equal(got, []int8{0, -1, 1, 0}) {
		t.Errorf("named monotone features: %v, %v", got, err)
	}
	for list, want := range map[string]string{"a-x": `no feature named "x"`, "y": `no feature named "y"`,
		"1-a": `range "1-a" ends before it starts`, "7": "feature 7 does not exist: features are numbered 1 to 4"} {
		t.Run(list, func(t *testing.T) {
			if got, err := named.Parse(list); err == nil || err.Error() != want {
				t.Errorf("%v, %v, want %s", got, err, want)
			}
		})
	}
	if got, err := (Features{nil, 4, 0}).Monotone("0-,3+"); err != nil || !slices.Equal(got, []int8{-1, 0, 0, 1}) {
		t.Errorf("monotone: %v, %v", got, err)
	}
}

func TestFeatureGroups(t *testing.T) {
	named := Features{[]string{"bm25", "age", "a=b"}, 3, 1}
	names, sets, err := named.Groups("feature-groups", "text = bm25;x=2-3;age;c=a=b")
	if err != nil || fmt.Sprint(names, sets) != "[text x age c] [[0] [1 2] [1] [2]]" {
		t.Errorf("%q, %v, %v", names, sets, err)
	}
	if sets, err := named.Sets("interactions", "a=b,1;2"); err != nil || fmt.Sprint(sets) != "[[0 2] [1]]" {
		t.Errorf("%v, %v", sets, err)
	}
}
