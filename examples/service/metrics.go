package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"
)

// bounds are the upper bounds of the buckets of durations, in seconds.
var bounds = [...]float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}

// metrics describes the requests to /rank and the reloads.
type metrics struct {
	mu                 sync.Mutex
	requests           map[int]int          // by status
	durations          [len(bounds) + 1]int // by bucket
	seconds            float64              // sum of the durations
	running, documents int
	unseen             int // values that are missing although their features never were in training
	reloaded, failed   int
}

// count changes the metrics while no other goroutine uses them.
func (m *metrics) count(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
}

// end counts a request that has ended.
func (m *metrics) end(status, documents int, duration time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.requests == nil {
		m.requests = map[int]int{}
	}
	m.requests[status]++
	bucket, _ := slices.BinarySearch(bounds[:], duration.Seconds())
	m.durations[bucket]++
	m.seconds += duration.Seconds()
	m.running--
	m.documents += documents
}

// write writes the metrics in the text format of Prometheus.
func (m *metrics) write(w io.Writer, model *servedModel) {
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintln(w, "# TYPE rank_requests_total counter")
	for _, status := range slices.Sorted(maps.Keys(m.requests)) {
		fmt.Fprintf(w, "rank_requests_total{code=\"%d\"} %d\n", status, m.requests[status])
	}
	fmt.Fprintln(w, "# TYPE rank_request_duration_seconds histogram")
	total := 0
	for i, bound := range bounds {
		total += m.durations[i]
		fmt.Fprintf(w, "rank_request_duration_seconds_bucket{le=\"%g\"} %d\n", bound, total)
	}
	total += m.durations[len(bounds)]
	fmt.Fprintf(w, `rank_request_duration_seconds_bucket{le="+Inf"} %d
rank_request_duration_seconds_sum %g
rank_request_duration_seconds_count %d
# TYPE rank_requests_in_flight gauge
rank_requests_in_flight %d
# TYPE rank_documents_total counter
rank_documents_total %d
# TYPE rank_unexpected_missing_values_total counter
rank_unexpected_missing_values_total %d
# TYPE rank_model_reloads_total counter
rank_model_reloads_total{result="ok"} %d
rank_model_reloads_total{result="failed"} %d
# TYPE rank_model_features gauge
rank_model_features %d
# TYPE rank_model_modified_timestamp_seconds gauge
rank_model_modified_timestamp_seconds %d
`, total, m.seconds, total, m.running, m.documents, m.unseen, m.reloaded, m.failed, len(model.names),
		model.modified.Unix())
}
