package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// facts returns the lines about a machine, in the order of the table.
func (r *result) facts() [][2]string {
	m := &r.Machine
	var reads, peers []string
	for _, l := range r.Memory {
		reads = append(reads, fmt.Sprintf("%s %.0f GB/s (%s)", l.Level, l.GBps, size(l.Bytes)))
	}
	for _, p := range m.Peers {
		peers = append(peers, strings.TrimSpace(p.Name+" "+p.Version))
	}
	return [][2]string{
		{"Processor", m.Processor},
		{"CPUs", fmt.Sprint(m.CPUs)},
		{"Caches", strings.Join(m.Caches, ", ")},
		{"System", m.System},
		{"Go", m.Go},
		{"Tiers", strings.Join(m.Tiers, ", ") + "; chosen: " + m.chosen()},
		{"Reading, one thread", strings.Join(reads, ", ")},
		{"Load before → after", m.Load},
		{"Measured", strings.TrimSpace(m.Date + " UTC " + m.Commit)},
		{"Peers found", strings.Join(peers, ", ")},
	}
}

func size(bytes float64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%.0f KiB", bytes/1024)
	}
	return fmt.Sprintf("%.0f MiB", bytes/(1<<20))
}

// number formats a number with three digits. Zero means that there is no value.
func number(v float64) string {
	switch {
	case v == 0:
		return ""
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// nanoseconds formats nanoseconds with a unit.
func nanoseconds(ns float64) string {
	for _, u := range []struct {
		scale float64
		name  string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= u.scale {
			return number(ns/u.scale) + " " + u.name
		}
	}
	return number(ns) + " ns"
}

func percent(share float64) string {
	if share == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}

// legend explains the columns.
const legend = `Times are for one call on one thread with the chosen tier. × Go is plain Go's time divided by the
time of a tier, and × gonum is gonum's time divided by the time of the chosen tier. GB/s counts the
bytes that a call reads and writes. The last column compares it with the speed at which DotF64 reads
a buffer of about the same size.`

func writeMarkdown(w io.Writer, r *result) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n| | |\n|---|---|\n", r.Machine.Processor)
	for _, f := range r.facts() {
		if f[1] != "" {
			fmt.Fprintf(&b, "| %s | %s |\n", f[0], f[1])
		}
	}
	fmt.Fprintf(&b, "\n%s\n", legend)
	for lines := r.Kernels; len(lines) > 0; {
		n := 1
		for n < len(lines) && lines[n].Family == lines[0].Family {
			n++
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s", lines[0].Family, r.table(lines[:n]))
		lines = lines[n:]
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// table writes the kernels of a family. It omits empty columns.
func (r *result) table(kernels []*kernel) string {
	chosen := r.Machine.chosen()
	type column struct {
		name  string
		value func(k *kernel) string
	}
	columns := []column{{chosen, func(k *kernel) string { return nanoseconds(k.Times[chosen]) }}}
	for _, t := range r.Machine.Tiers {
		columns = append(columns, column{t + ", × Go", func(k *kernel) string { return number(k.Generic[t]) }})
	}
	columns = append(columns,
		column{"× gonum", func(k *kernel) string { return number(k.Gonum) }},
		column{"GB/s", func(k *kernel) string { return number(k.GBps) }},
		column{"of reading", func(k *kernel) string { return strings.TrimSpace(percent(k.Share) + " " + k.Memory) }})
	columns = slices.DeleteFunc(columns, func(c column) bool {
		return !slices.ContainsFunc(kernels, func(k *kernel) bool { return c.value(k) != "" })
	})

	head, rule := "| Kernel | Case |", "|---|---|"
	for _, c := range columns {
		head, rule = head+" "+c.name+" |", rule+"---:|"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", head, rule)
	for _, k := range kernels {
		fmt.Fprintf(&b, "| %s | %s |", k.Name, k.Case)
		for _, c := range columns {
			fmt.Fprintf(&b, " %s |", c.value(k))
		}
		b.WriteString("\n")
	}
	return b.String()
}
