package kernels

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/testkit"
)

// With -tags purego, kernels, vectors and rank build without any assembly except in Go's own
// packages. This includes cpuid's assembly. Without the tag, the same check finds the assembly.
func TestPuregoHasNoAssembly(t *testing.T) {
	if testing.Short() {
		t.Skip("the answer is the same on every processor")
	}
	if _, err := exec.LookPath("go"); err != nil || runtime.GOOS == "js" {
		t.Skip("no go command to ask")
	}
	const module = "github.com/simdrank/simdrank/"
	const kernels = module + "kernels"
	for _, arch := range []string{"amd64", "arm64"} {
		t.Run(arch, func(t *testing.T) {
			for _, pkg := range []string{kernels, module + "vectors", module + "rank"} {
				if with := assemblyIn(t, arch, "purego", pkg); len(with) > 0 {
					t.Errorf("GOARCH=%s -tags purego %s: assembly in %v", arch, pkg, with)
				}
			}
			with := assemblyIn(t, arch, "", kernels)
			if !slices.Contains(with, kernels) || arch == "amd64" &&
				!slices.Contains(with, "github.com/klauspost/cpuid/v2") {
				t.Errorf("GOARCH=%s without tags: assembly only in %v: the test does not see it", arch, with)
			}
		})
	}
}

// assemblyIn lists pkg and its dependencies outside the standard library that contain assembly or C
// when they are built with the tags.
func assemblyIn(t *testing.T, arch, tags, pkg string) (with []string) {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard,SFiles,CFiles", "-tags="+tags, pkg)
	cmd.Env = append(os.Environ(), "GOARCH="+arch, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath     string
			Standard       bool
			SFiles, CFiles []string
		}
		if err := d.Decode(&p); err == io.EOF {
			return with
		} else if err != nil {
			t.Fatal(err)
		}
		if !p.Standard && len(p.SFiles)+len(p.CFiles) > 0 {
			with = append(with, p.ImportPath)
		}
	}
}

// suffixes are the suffixes of function names by tier.
var suffixes = map[cpu.Tier]string{cpu.Generic: "Generic", cpu.AVX2: "AVX2", cpu.AVX512: "AVX512", cpu.NEON: "NEON"}

// A fault inside a kernel unwinds through it to the caller, so the stack of a panic or a profile is
// complete.
func TestUnwind(t *testing.T) {
	if !testkit.Pages {
		t.Skip("no guard pages on this operating system")
	}
	good := make([]float64, 64)
	bad := testkit.Copy(testkit.NewBuffer(t, 512), good, testkit.Place{End: true})
	long := testkit.Beyond(bad, 8) // 8 elements too many: the guard page faults
	calls := map[string]func(){
		"AxpyF64": func() { AxpyF64(1, long, make([]float64, len(long))) },
		"DotF64":  func() { DotF64(long, make([]float64, len(long))) },
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				stack := faultStack(call)
				restore()
				kernel := strings.ToLower(name[:1]) + name[1:] + suffixes[tier]
				for _, f := range []string{"kernels." + kernel, "kernels." + name, "kernels.TestUnwind"} {
					if !strings.Contains(stack, f) {
						t.Errorf("%v: %s is missing from the stack of a fault:\n%s", tier, f, stack)
					}
				}
			}
		})
	}
}

// The cache of go test records that a test that calls CPU depends on SIMDRANK_CPU.
func TestCacheSeesVariable(t *testing.T) {
	if ask := os.Getenv("SIMDRANK_TEST_ASK"); ask != "" {
		map[string]func(){"CPU": func() { CPU() }, "CPUErr": func() { _ = CPUErr() }}[ask]()
		return
	}
	if testing.Short() {
		t.Skip("a program that QEMU runs may wait forever for one that it cannot start")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, ask := range []string{"CPU", "CPUErr"} {
		t.Run(ask, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "log")
			cmd := exec.Command(exe, "-test.run=^TestCacheSeesVariable$", "-test.testlogfile="+log)
			cmd.Env = append(os.Environ(), "SIMDRANK_TEST_ASK="+ask)
			if err := cmd.Start(); err != nil {
				t.Skipf("cannot start itself, as under an emulator: %v", err)
			}
			if err := cmd.Wait(); err != nil {
				t.Fatal(err)
			}
			read, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(read), "getenv "+cpu.EnvVar+"\n") {
				t.Errorf("the log of what the test read lacks %s:\n%s", cpu.EnvVar, read)
			}
		})
	}
}

// A loop over a kernel can be preempted when all goroutines must stop.
func TestStopsBetweenCalls(t *testing.T) {
	testkit.SkipShort64(t)
	const rows, cols = 64, 1024
	x, y, f, g := make([]float64, rows*cols), make([]float64, rows*cols), make([]float32, rows*cols),
		make([]float32, rows*cols)
	testkit.StopsBetweenCalls(t, func(stop *atomic.Bool) []func() {
		return []func(){
			func() {
				for !stop.Load() {
					DotF64(x, y)
				}
			},
			func() {
				for !stop.Load() {
					DotF64(x[:64], y[:64])
				}
			},
			func() {
				for !stop.Load() {
					DotF32(f, g)
				}
			},
			func() {
				for !stop.Load() {
					DotF32(f[:128], g[:128])
				}
			},
			func() {
				for !stop.Load() {
					DotF32Wide(f, g)
				}
			},
			func() {
				for !stop.Load() {
					GemvF64(y[:rows], y[rows:][:cols], x, rows, cols, cols)
				}
			},
			func() {
				for !stop.Load() {
					GemvF32(f[:rows], f[rows:][:cols], g, rows, cols, cols)
				}
			},
			func() {
				for !stop.Load() {
					GemvF32Wide(y[:rows], y[rows:][:cols], g, rows, cols, cols)
				}
			},
			func() {
				for !stop.Load() {
					AddGemvTF64(y[:cols], y[cols:][:rows], x, rows, cols, cols)
				}
			},
			func() {
				for !stop.Load() {
					AddGemvTF32(f[:cols], f[cols:][:rows], g, rows, cols, cols)
				}
			},
			func() {
				for !stop.Load() {
					AddGemvTF32Wide(y[:cols], y[cols:][:rows], g, rows, cols, cols)
				}
			},
		}
	})
}

// The dispatch in assembly may need a larger stack, like any function. The stack then moves,
// together with the vectors and arguments on it.
func TestStackGrows(t *testing.T) {
	var deeper func(n int) float64
	deeper = func(n int) float64 {
		var x, y [8]float64
		var f, g [16]float32
		for i := range x {
			x[i], y[i] = float64(n), 1
			f[i], g[i] = float32(n), 1
		}
		sum := DotF64(x[:], y[:]) + float64(DotF32(f[:], g[:])) + DotF32Wide(f[:], g[:])
		if n > 0 {
			sum += deeper(n - 1)
		}
		return sum
	}
	const depth = 3000
	want := 0.0
	for n := range depth + 1 {
		want += 3 * 8 * float64(n)
	}
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			restore := cpu.Force(tier)
			result := make(chan float64)
			go func() { result <- deeper(depth) }() // on a new, small stack
			if got := <-result; got != want {
				t.Errorf("%v, want %v", got, want)
			}
			restore()
		})
	}
}

// faultStack returns the functions on the stack, one per line, if call faults. Otherwise, it
// returns "".
func faultStack(call func()) (stack string) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() == nil {
			return
		}
		pcs := make([]uintptr, 50)
		it := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
		for f, more := it.Next(); more; f, more = it.Next() {
			stack += f.Function + "\n"
		}
	}()
	call()
	return ""
}
