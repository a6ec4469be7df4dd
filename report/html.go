package report

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
)

// section starts a section of the page.
func (b *builder) section(id, title, words string) {
	b.contents = append(b.contents, heading{id, title})
	fmt.Fprintf(&b.body, "</section>\n<section id=\"%s\"><h2>%s</h2>\n", id, escape(title))
	b.paragraph(words)
}

func (b *builder) paragraph(words string) {
	if words != "" {
		fmt.Fprintf(&b.body, "<p>%s</p>\n", escape(words))
	}
}

func (b *builder) subtitle(text string) { fmt.Fprintf(&b.body, "<h3>%s</h3>\n", escape(text)) }

// figure adds figures side by side. If a figure cannot be drawn, it adds the reason.
func (b *builder) figure(make ...func() (*Chart, error)) error {
	b.body.WriteString("<div class=\"figures\">\n")
	for _, draw := range make {
		var s *scene
		c, err := draw()
		if err == nil {
			s, err = c.draw(false)
		}
		b.part()
		switch {
		case b.ctx.Err() != nil:
			return b.ctx.Err()
		case err != nil:
			fmt.Fprintf(&b.body, "<p class=\"none\">No figure: %s.</p>\n", escape(errs.Bare(err)))
			continue
		}
		b.figures++
		fmt.Fprintf(&b.body, "<figure><figcaption>%s</figcaption>\n", escape(c.Title))
		s.svg(&b.body, fmt.Sprintf("f%d", b.figures), c.Title, c.alt(), false)
		b.body.WriteString("\n<details><summary>data</summary>")
		b.table(c.table())
		b.body.WriteString("</details></figure>\n")
	}
	b.body.WriteString("</div>\n")
	return nil
}

// table adds a table. Columns of numbers are right-aligned.
func (b *builder) table(t *table) {
	b.body.WriteString("<div class=\"table\"><table><thead><tr>")
	numbers := make([]bool, len(t.columns))
	for j, name := range t.columns {
		numbers[j] = true
		for _, row := range t.rows {
			numbers[j] = numbers[j] && j < len(row) && numeric(row[j])
		}
		fmt.Fprintf(&b.body, "<th scope=\"col\"%s>%s</th>", class(numbers[j]), escape(name))
	}
	b.body.WriteString("</tr></thead><tbody>\n")
	for _, row := range t.rows {
		b.body.WriteString("<tr>")
		for j, cell := range row {
			fmt.Fprintf(&b.body, "<td%s>%s</td>", class(j < len(numbers) && numbers[j]), escape(cell))
		}
		b.body.WriteString("</tr>\n")
	}
	b.body.WriteString("</tbody></table></div>\n")
	if t.note != "" {
		fmt.Fprintf(&b.body, "<p class=\"none\">%s</p>\n", escape(t.note))
	}
}

func class(number bool) string {
	if number {
		return ` class="n"`
	}
	return ""
}

// numeric reports whether a cell contains a number, ignoring marks.
func numeric(cell string) bool {
	return strings.Trim(cell, "0123456789.,−–+-e*%[]\u00a0 ") == ""
}

// list adds names with values.
func (b *builder) list(facts [][2]string) {
	b.body.WriteString("<dl>\n")
	for _, f := range facts {
		fmt.Fprintf(&b.body, "<div><dt>%s</dt><dd>%s</dd></div>\n", escape(f[0]), escape(f[1]))
	}
	b.body.WriteString("</dl>\n")
}

// page returns the whole document.
func (b *builder) page() []byte {
	title := b.Title
	if title == "" {
		var names []string
		for _, s := range b.Systems {
			names = append(names, s.Name)
		}
		title = strings.Join(names, ", ")
		if b.Data.Name != "" {
			title += " on " + b.Data.Name
		}
	}
	note := ""
	if b.Note != "" {
		note = "<p>" + escape(b.Note) + "</p>\n"
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
<title>%[1]s</title>
<style>
%[2]s%[3]s</style>
</head>
<body>
<header><h1>%[1]s</h1>
%[4]s<nav aria-label="Contents"><ul>
`, escape(title), style(), pageStyle, note)
	for _, h := range b.contents {
		fmt.Fprintf(&out, "<li><a href=\"#%s\">%s</a></li>\n", h.id, escape(h.text))
	}
	out.WriteString("</ul></nav></header>\n<main>\n")
	out.Write(bytes.TrimPrefix(b.body.Bytes(), []byte("</section>\n")))
	out.WriteString("</section>\n</main>\n</body>\n</html>\n")
	return out.Bytes()
}

// pageStyle is the style sheet of pages, in addition to the style sheet of figures.
const pageStyle = `*{box-sizing:border-box}
body{margin:0 auto;max-width:1180px;padding:20px;background:var(--c0);color:var(--c1);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
h1{font-size:1.6em;line-height:1.25;margin:.3em 0;overflow-wrap:anywhere}
h2{font-size:1.3em;margin:1.6em 0 .4em;padding-top:.6em;border-top:1px solid var(--c3)}
h3{font-size:1.05em;margin:1.2em 0 .4em;overflow-wrap:anywhere}
h4{font-size:.95em;margin:.2em 0}
p{margin:.4em 0 .8em;max-width:75ch;overflow-wrap:anywhere}
a{color:var(--c4)}
nav ul{list-style:none;margin:.6em 0;padding:0;display:flex;flex-wrap:wrap;gap:.3em 1.2em}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(460px,100%),1fr));gap:18px 32px;align-items:start;margin:1em 0}
.small .figures{grid-template-columns:repeat(auto-fit,minmax(min(280px,100%),1fr))}
figure{margin:0;min-width:0;max-width:560px;break-inside:avoid}
.small figure{max-width:360px}
figcaption{font-weight:600;overflow-wrap:anywhere}
figure svg{display:block;width:100%;height:auto}
.list{min-width:0}
details{font-size:.85em}
summary{color:var(--c2);cursor:pointer}
.table{overflow-x:auto;max-height:30em;overflow-y:auto}
details .table{max-height:20em}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.3em 0}
th,td{padding:.2em .7em .2em 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--c3)}
th{font-weight:600;color:var(--c2)}
td:first-child{max-width:24em;overflow-wrap:anywhere}
.n{text-align:right}td:first-child{min-width:6.5em}td.n:first-child{min-width:0}
.none{color:var(--c2);font-size:.9em}
dl{display:grid;grid-template-columns:minmax(7em,max-content) 1fr;gap:.15em 1.2em;margin:.4em 0 1em}
dl div{display:contents}
.settings dl{display:block;columns:19em auto;column-gap:32px}
.settings dl div{display:flex;gap:0 1.2em;justify-content:space-between;break-inside:avoid;border-bottom:1px solid var(--c3)}
.settings dt{max-width:75%;overflow-wrap:anywhere}
.settings dd{text-align:right}
dt{color:var(--c2)}
dd{margin:0;overflow-wrap:anywhere;min-width:0}
@media print{body{max-width:none;padding:0;font-size:11pt}details,nav{display:none}.table{overflow:visible;max-height:none}h2,h3,h4{break-after:avoid}}
`
