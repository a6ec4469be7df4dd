package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// repeat returns a reader of n bytes that repeats a text after a beginning.
func repeat(beginning, text string, n int64) io.Reader {
	return io.LimitReader(io.MultiReader(strings.NewReader(beginning), &repeater{text: strings.Repeat(text, 4096)}), n)
}

type repeater struct {
	text string
	at   int
}

func (r *repeater) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	return n, nil
}

// heap returns the bytes of live objects after a garbage collection.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // also frees pooled objects
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// peak calls f and returns by how much the heap has grown meanwhile, including garbage.
func peak(f func()) uint64 {
	before, most := heap(), uint64(0)
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	f()
	close(stop)
	<-stopped
	return most - min(most, before)
}

const mostMemory = 64 << 20

// TestHostileBodies sends large bodies over 4 connections.
func TestHostileBodies(t *testing.T) {
	s, url, _ := start(t, linear(1), defaults())
	const few, many = 1 << 20, 16 << 20
	for name, c := range map[string]struct {
		beginning, repeated string
		bytes               int64
		code                int
	}{
		"documents":       {`{"documents":[{"id":"x"}`, `,{"id":"x"}`, few, 413},
		"empty documents": {`{"documents":[{}`, `,{}`, few, 400},
		"many documents":  {`{"documents":[{}`, `,{}`, many, 413},
		"nested":          {`{"documents":`, `[`, few, 400},
		"nested features": {`{"documents":[{"id":"x","features":`, `{"a":`, few, 400},
		"long field":      {`{"`, `x`, few, 400},
		"long k":          {`{"k":1`, `1`, few, 400},
		"long ID":         {`{"documents":[{"id":"`, `x`, few, 400},
		"long feature":    {`{"documents":[{"features":{"`, `x`, few, 400},
		"long number":     {`{"documents":[{"features":{"a":1`, `1`, few, 400},
		"fields":          {`{"k":1`, `,"k":1`, few, 400},
		"spaces":          {`{`, ` `, few, 400},
	} {
		t.Run(name, func(t *testing.T) {
			used := peak(func() {
				var group sync.WaitGroup
				for range 4 {
					group.Go(func() {
						code, text, err := post(url, repeat(c.beginning, c.repeated, c.bytes))
						// The server may close the connection while the client still sends.
						if err == nil && (code != c.code || len(text) > 300) {
							t.Errorf("%d %.300s, want %d", code, text, c.code)
						}
					})
				}
				group.Wait()
			})
			if used > mostMemory {
				t.Errorf("%d MB", used>>20)
			}
		})
	}
	if got := s.reserved.Load(); got != 0 {
		t.Errorf("%d bytes are still reserved", got)
	}
}

// TestSlowClients: clients whose bodies do not arrive occupy no slot and limited memory, and are
// disconnected.
func TestSlowClients(t *testing.T) {
	o := defaults()
	o.slots, o.maxMemory, o.read = 1, 20<<20, time.Second
	s, url, _ := start(t, linear(1), o)
	const clients = 100
	statuses := make(chan string, clients)
	used := peak(func() {
		for i := range clients {
			conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			length := 1000
			if i%2 == 0 {
				length = 1 << 20
			}
			fmt.Fprintf(conn, "POST /rank HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n{", length)
			go func() {
				text, _ := io.ReadAll(conn) // until the server closes the connection
				statuses <- fmt.Sprintf("%.12s", text)
			}()
		}
		code, got, err := post(url, strings.NewReader(`{"documents": []}`))
		for ; err == nil && code == 503; code, got, err = post(url, strings.NewReader(`{"documents": []}`)) {
			time.Sleep(10 * time.Millisecond)
		}
		if code != 200 || err != nil {
			t.Errorf("%d %s, error %v", code, got, err)
		}
		seen := map[string]int{}
		for range clients {
			seen[<-statuses]++
		}
		if seen["HTTP/1.1 408"]+seen["HTTP/1.1 503"] != clients || seen["HTTP/1.1 408"] < clients/2 {
			t.Errorf("responses %v", seen)
		}
	})
	if used > mostMemory || s.reserved.Load() != 0 {
		t.Errorf("%d MB, %d bytes are still reserved", used>>20, s.reserved.Load())
	}
}

// TestQueue: a request waits for a slot, and a full queue rejects requests.
func TestQueue(t *testing.T) {
	o := defaults()
	o.slots, o.queue, o.wait = 1, 1, 200*time.Millisecond
	s, url, _ := start(t, linear(1), o)
	busy := <-s.slots
	answers := make(chan string)
	for range 3 {
		go func() {
			r, err := http.Post(url+"/rank", "", strings.NewReader("{}"))
			if err != nil {
				answers <- err.Error()
				return
			}
			defer r.Body.Close()
			text, _ := io.ReadAll(r.Body)
			answers <- fmt.Sprint(r.StatusCode, " ", r.Header.Get("Retry-After"), " ", string(text))
		}()
	}
	const full = "the queue is full: its limit is 1"
	for _, want := range []string{full, full, "no slot became free within 200ms"} {
		if got := <-answers; got != fmt.Sprintf("503 1 {\"error\":%q}\n", want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	time.AfterFunc(50*time.Millisecond, func() { s.slots <- busy })
	if code, got, err := post(url, strings.NewReader("{}")); code != 200 {
		t.Errorf("%d %s, error %v", code, got, err)
	}
}
