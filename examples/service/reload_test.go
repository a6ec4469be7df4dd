package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/model"
)

const sumRequest = `{"documents": [{"id": "x", "features": {"a": 1, "b": 2}}]}`

// encode returns the file of a model.
func encode(t testing.TB, m rank.Model) string {
	t.Helper()
	data, err := os.ReadFile(save(t, m))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestReload replaces a model of features a and b, which sums them.
func TestReload(t *testing.T) {
	trees := randomTrees(1, 1, 2)
	trees.FeatureNames = []string{"b", "a"}
	wide := &rank.Linear{Weights: []float64{9, 2, 2}, FeatureNames: []string{"c", "a", "b"}}
	text := encode(t, trees)
	for name, c := range map[string]struct{ content, log, score string }{
		"weights":        {encode(t, linear(2)), "loaded a model of 2 features", `"score":6}`},
		"trees":          {text, "loaded a model", fmt.Sprintf(`"score":%v}`, trees.Score([]float32{2, 1}))},
		"more features":  {encode(t, wide), "loaded a model of 3 features", `"score":null}`},
		"other features": {encode(t, randomTrees(1, 1, 2)), "the new model requires other features", `"score":3}`},
		"no names":       {encode(t, &rank.Linear{Weights: []float64{1, 2}}), "has no feature names", `"score":3}`},
		"cut":            {text[:len(text)/2], "keeping the old model: ", `"score":3}`},
		"garbage":        {"garbage", "keeping the old model: ", `"score":3}`},
		"empty":          {"", "keeping the old model: ", `"score":3}`},
		"deleted":        {"deleted", "keeping the old model: ", `"score":3}`},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := newService(save(t, linear(1)), defaults())
			if err != nil {
				t.Fatal(err)
			}
			if s.changed() {
				t.Error("changed before")
			}
			var logged bytes.Buffer
			log.SetOutput(&logged)
			if err = os.WriteFile(s.path, []byte(c.content), 0o666); name == "deleted" {
				err = os.Remove(s.path)
			}
			if err != nil {
				t.Fatal(err)
			}
			if !s.changed() {
				t.Error("not changed")
			}
			if s.reload(); s.changed() {
				t.Error("changed after")
			}
			if got := logged.String(); !strings.Contains(got, c.log) || !strings.Contains(got, s.path) ||
				strings.Count(got, "\n") != 1 {
				t.Errorf("log %q, want %q", got, c.log)
			}
			if code, got := handle(s, "POST", "/rank", sumRequest); code != 200 || !strings.Contains(got, c.score) {
				t.Errorf("%d %s, want %s", code, got, c.score)
			}
			if err := model.Save(s.path, linear(3)); err != nil || !s.changed() {
				t.Errorf("error %v, or not changed", err)
			}
		})
	}
}

// TestReloadUnderLoad: each response is from one of two models while the file changes.
func TestReloadUnderLoad(t *testing.T) {
	s, url, _ := start(t, linear(1), defaults())
	contents := []string{encode(t, linear(2)), encode(t, linear(1))}
	contents = append(contents, contents[0][:len(contents[0])/2], "garbage")
	var group sync.WaitGroup
	end := time.Now().Add(700 * time.Millisecond)
	for range 8 {
		group.Go(func() {
			seen := map[string]int{}
			for time.Now().Before(end) {
				code, got, err := post(url, strings.NewReader(sumRequest))
				if seen[got]++; err != nil || code != 200 {
					t.Errorf("%d %s, error %v", code, got, err)
				}
			}
			delete(seen, `{"ranked":[{"id":"x","score":3}]}`)
			delete(seen, `{"ranked":[{"id":"x","score":6}]}`)
			if len(seen) > 0 {
				t.Errorf("responses %v", seen)
			}
		})
	}
	for i := 0; time.Now().Before(end); i++ {
		if err := os.WriteFile(s.path, []byte(contents[i%len(contents)]), 0o666); err != nil {
			t.Error(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	group.Wait()
	s.metrics.count(func() {
		if s.metrics.reloaded < 2 || s.metrics.failed < 2 {
			t.Errorf("%d reloads, %d failed", s.metrics.reloaded, s.metrics.failed)
		}
	})
}
