// Command service ranks the documents of HTTP requests with a model of any supported format. Copy
// this folder to start a service of your own.
//
//	go run ./examples/service [flags] model.json
//	curl localhost:8080/rank -d '{"k": 2, "documents": [{"id": "a", "features": {"bm25": 7}}, …]}'
//
// The endpoints are:
//
//   - POST /rank returns the best k documents. With "explain": 3, it also returns the three largest
//     contributions to each score. Features that are null or absent are missing.
//   - GET /healthz and GET /readyz report whether the service runs and whether it accepts requests.
//   - GET /metrics returns metrics in the text format of Prometheus.
//
// If the model file changes, the service loads it without a pause. Write a new model to another
// file and rename it. Without a model, the service trains one on synthetic data.
package main

import (
	"context"
	"flag"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// Clients that are slower are disconnected.
const (
	headerTimeout = 5 * time.Second
	writeTimeout  = 10 * time.Second
	idleTimeout   = 2 * time.Minute
)

// shutdownTimeout is the time that running requests have to finish.
const shutdownTimeout = 15 * time.Second

type options struct {
	address                     string
	maxBody, maxMemory          int64
	maxDocuments                int
	slots, queue                int
	read, wait, interval, drain time.Duration
	ignoreUnknown               bool
}

func (o *options) register(f *flag.FlagSet) {
	f.StringVar(&o.address, "address", "localhost:8080", "`address` to listen on")
	f.Int64Var(&o.maxBody, "max-body", 1<<20, "maximum `bytes` of a request body")
	f.Int64Var(&o.maxMemory, "max-memory", 256<<20, "maximum `bytes` of all request bodies in memory")
	f.IntVar(&o.maxDocuments, "max-documents", 1000, "maximum `documents` per request")
	f.IntVar(&o.slots, "slots", 2*runtime.GOMAXPROCS(0), "maximum `requests` that are ranked at once")
	f.IntVar(&o.queue, "queue", 1000, "maximum `requests` that wait for a slot")
	f.DurationVar(&o.read, "read", 10*time.Second, "maximum `time` that a client takes to send a request")
	f.DurationVar(&o.wait, "wait", 5*time.Second, "maximum `time` that a request waits for a slot")
	f.DurationVar(&o.interval, "reload", time.Second, "`time` between checks of the model file")
	f.DurationVar(&o.drain, "drain", time.Second, "`time` between failing /readyz and closing the listener")
	f.BoolVar(&o.ignoreUnknown, "ignore-unknown", false, "ignore features that the model does not have")
}

func main() {
	var o options
	o.register(flag.CommandLine)
	flag.Parse()
	if flag.NArg() > 1 || min(int64(o.slots), int64(o.interval)) <= 0 {
		log.Fatal("usage: service [flags] [MODEL]; -slots and -reload must be positive")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program immediately
	s, err := newService(flag.Arg(0), o)
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", o.address)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("listening at http://%s with a model of %d features", listener.Addr(), len(s.model.Load().names))
	if err := s.run(ctx, listener); err != nil {
		log.Fatal(err)
	}
}

// run answers requests until the context ends, and then finishes the running requests.
func (s *service) run(ctx context.Context, listener net.Listener) error {
	server := &http.Server{Handler: s.handler(), ReadHeaderTimeout: headerTimeout, ReadTimeout: s.read,
		WriteTimeout: s.read + s.wait + writeTimeout, // from the end of the header
		IdleTimeout:  idleTimeout, MaxHeaderBytes: 16 << 10}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	go s.watch(ctx)
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	log.Print("shutting down")
	s.stopping.Store(true)
	time.Sleep(s.drain) // until load balancers send no more requests
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	return server.Shutdown(ctx)
}
