package peer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/klauspost/cpuid/v2"

	"github.com/simdrank/simdrank/internal/cpu"
)

// A Result is a line of a result file: one row with its peer.
type Result struct {
	Job  string `json:"job"`
	Case string `json:"case"`
	Program
	Threads     int     `json:"threads"`
	Ratio       float64 `json:"ratio"`                  // the peer's time divided by simdrank's
	Ours        float64 `json:"ours"`                   // seconds
	Theirs      float64 `json:"theirs"`                 // seconds
	OurQuality  float64 `json:"our_quality,omitempty"`  // NDCG@10
	PeerQuality float64 `json:"peer_quality,omitempty"` // NDCG@10
	OurMemory   float64 `json:"our_memory,omitempty"`   // bytes
	PeerMemory  float64 `json:"peer_memory,omitempty"`  // bytes
	Tier        string  `json:"tier"`
	Processor   string  `json:"processor"`
	Date        string  `json:"date"`
}

// store appends the result of a row to the result file, if there is one. Rows of tiers that this
// machine does not choose by itself are not stored.
func (t *Table) store(r Row, ours, theirs, ratio float64) {
	tiers := cpu.Available()
	if t.results == nil || cpu.Active() != tiers[len(tiers)-1] {
		return
	}
	job := t.job
	if t.Growth {
		job += " growth"
	}
	Check(json.NewEncoder(t.results).Encode(Result{
		Job: job, Case: r.What, Program: r.Program, Threads: r.Threads, Ratio: ratio, Ours: ours, Theirs: theirs,
		OurQuality: r.OurQuality, PeerQuality: r.PeerQuality, OurMemory: r.OurMemory, PeerMemory: r.PeerMemory,
		Tier: cpu.Active().String(), Processor: cpuid.CPU.BrandName, Date: time.Now().Format(time.DateOnly),
	}))
}

// ReadResults reads a result file. If it contains a case more than once, for example because a
// comparison was repeated, only the last result is returned.
func ReadResults(path string) (results []Result, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	type key struct {
		job, what, peer string
		threads         int
	}
	places := map[key]int{}
	for in, line := json.NewDecoder(f), 1; ; line++ {
		var r Result
		if err := in.Decode(&r); errors.Is(err, io.EOF) {
			return results, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		k := key{r.Job, r.Case, r.Peer, r.Threads}
		if i, again := places[k]; again {
			results[i] = r
			continue
		}
		places[k] = len(results)
		results = append(results, r)
	}
}
