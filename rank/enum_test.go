package rank

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestOptionWords sets each field of the options to its words and to invalid ones.
func TestOptionWords(t *testing.T) {
	for kind, set := range map[string]func(o *Options, word string){
		"preset":   func(o *Options, word string) { o.Preset = word },
		"gain":     func(o *Options, word string) { o.Gain = word },
		"discount": func(o *Options, word string) { o.Discount = word },
		"ties":     func(o *Options, word string) { o.Ties = word },
		"empty":    func(o *Options, word string) { o.Empty = word },
	} {
		t.Run(kind, func(t *testing.T) {
			words := OptionWords(kind)
			for _, word := range append(words, "nonsense") {
				var o Options
				set(&o, word)
				_, err := NewEvaluator("ndcg", o)
				if word != "nonsense" {
					if err != nil {
						t.Errorf("%s %s: %v", kind, word, err)
					}
					continue
				}
				if list := strings.Join(words, ", "); err == nil || !strings.HasPrefix(err.Error(), "rank: ") ||
					!strings.HasSuffix(err.Error(), fmt.Sprintf("%q: must be one of %s", word, list)) {
					t.Errorf("error %v", err)
				}
			}
		})
	}
	if words := OptionWords("nonsense"); words != nil {
		t.Errorf("words of nothing: %v", words)
	}
}

func TestExpGain(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		gain        func(float64) float64
		label, want float64
	}{
		{ExpGain, 0, 0}, {ExpGain, 3, 7}, {ExpGain, -1, -0.5}, {ExpGain, 0.5, 0.41421356237309503},
		{ExpGain, 1023, inf},
		{ExpGain, inf, inf}, {ExpGain, -inf, -1}, {ExpGain, -1e4, -1}, {ExpGain, nan, nan},
	} {
		t.Run(fmt.Sprint(c.label), func(t *testing.T) {
			if got := c.gain(c.label); !same(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
