package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/simdrank/simdrank/rank/model"
)

// TestLoad sends requests of 100 documents over kept-alive connections, while the model is replaced
// every second. To set the time per number of connections, for example one minute:
//
//	SERVICE_LOAD=1m go test -v -run TestLoad ./examples/service
func TestLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("measures for seconds; the other tests cover the service")
	}
	duration, err := time.ParseDuration(os.Getenv("SERVICE_LOAD"))
	if err != nil {
		duration = time.Second
	}
	const features = 136
	o := defaults()
	o.interval, o.wait = time.Second, time.Minute // the machine may be busy
	s, url, _ := start(t, randomTrees(1, 100, features), o)
	bodies := make([]string, 16)
	for i := range bodies {
		bodies[i] = randomBody(t, uint64(i), 100, features)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 400}}
	send := func(i int) {
		r, err := client.Post(url+"/rank", "application/json", strings.NewReader(bodies[i%len(bodies)]))
		if err != nil {
			t.Error(err)
			return
		}
		defer r.Body.Close()
		if text, err := io.ReadAll(r.Body); err != nil || r.StatusCode != 200 {
			t.Errorf("%d %.200s, error %v", r.StatusCode, text, err)
		}
	}
	stop := make(chan bool)
	defer close(stop)
	go func() {
		for i := uint64(2); ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(time.Second):
				model.Save(s.path, randomTrees(i, 100, features)) // a failure is visible in the number of reloads
			}
		}
	}()
	for _, connections := range []int{1, 64, 400} {
		t.Run(fmt.Sprint(connections), func(t *testing.T) {
			before, start := heap(), time.Now()
			times := load(connections, duration, send)
			seconds := time.Since(start).Seconds()
			client.CloseIdleConnections()
			after := heap()
			slices.Sort(times)
			at := func(q float64) time.Duration {
				return times[int(q*float64(len(times)-1))].Round(100 * time.Microsecond)
			}
			reloads := 0
			s.metrics.count(func() { reloads = s.metrics.reloaded })
			t.Logf("%.0f requests/s, p50 %v, p99 %v, maximum %v, heap %.1f → %.1f MB, %d reloads so far",
				float64(len(times))/seconds, at(0.5), at(0.99), at(1), float64(before)/1e6, float64(after)/1e6, reloads)
			if after > before+8<<20 {
				t.Errorf("the heap has grown from %d to %d bytes", before, after)
			}
		})
	}
}

// randomBody returns a request.
func randomBody(t testing.TB, seed uint64, documents, features int) string {
	type document struct {
		ID       string             `json:"id"`
		Features map[string]float32 `json:"features"`
	}
	rng := rand.New(rand.NewPCG(seed, seed))
	var all []document
	for i := range documents {
		d := document{fmt.Sprint("document-", i), map[string]float32{}}
		for j := range features {
			d.Features[fmt.Sprint("feature", j)] = rng.Float32()
		}
		all = append(all, d)
	}
	body, err := json.Marshal(map[string]any{"k": 10, "documents": all})
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// load calls send on many goroutines, at least once on each, and returns the time of each call.
func load(goroutines int, duration time.Duration, send func(i int)) (times []time.Duration) {
	var group sync.WaitGroup
	var mu sync.Mutex
	end := time.Now().Add(duration)
	for range goroutines {
		group.Go(func() {
			var own []time.Duration
			for i := 0; i == 0 || time.Now().Before(end); i++ {
				begin := time.Now()
				send(i)
				own = append(own, time.Since(begin))
			}
			mu.Lock()
			defer mu.Unlock()
			times = append(times, own...)
		})
	}
	group.Wait()
	return times
}
