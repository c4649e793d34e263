package main

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/mailfault/mailfault/dmarcreport/history"
)

// The charts are plain SVG within the page. Their colours are classes of the
// style sheet, so that they follow light and dark; all text is escaped, for
// names come from strangers.

// series is what one colour of a chart shows.
type series struct {
	name, class string
	values      []int64
}

func chartSeries(l legend, days []history.DayTotals) series {
	s := series{name: l.Name, class: l.Class}
	for _, d := range days {
		s.values = append(s.values, max(d.Messages(), 0))
	}
	return s
}

// svg starts a drawing that a reader hears as its title.
func svg(b *strings.Builder, width, height int, title string) {
	fmt.Fprintf(b, `<svg viewBox="0 0 %d %d" role="img" aria-label="%s"><title>%[3]s</title>`, width, height, template.HTMLEscapeString(title))
}

// percent is never rounded up to all.
func percent(rate float64) string { return fmt.Sprintf("%.1f%%", math.Floor(1000*rate)/10) }

// rateChart draws the pass rate of each day. A day without mail has no rate, and
// interrupts the line.
func rateChart(days []history.DayTotals, width, height int) template.HTML {
	var b strings.Builder
	var total history.Totals
	for _, d := range days {
		total.Add(d.Totals)
	}
	title := "Pass rate a day"
	if rate, ok := total.PassRate(); ok {
		title = fmt.Sprintf("Pass rate a day, %s over all", percent(rate))
	}
	svg(&b, width, height, title)
	step := float64(width) / float64(max(len(days), 1))
	for _, percent := range []int{0, 50, 100} {
		y := float64(height-4)*(1-float64(percent)/100) + 2
		fmt.Fprintf(&b, `<line class="grid" x1="0" x2="%d" y1="%.1f" y2="%.1f"/>`, width, y, y)
	}
	var points []string
	flush := func() {
		if len(points) == 1 {
			points = append(points, points[0])
		}
		if len(points) > 0 {
			fmt.Fprintf(&b, `<polyline class="line" points="%s"/>`, strings.Join(points, " "))
		}
		points = nil
	}
	for i, d := range days {
		rate, ok := d.PassRate()
		if !ok {
			flush()
			continue
		}
		points = append(points, fmt.Sprintf("%.1f,%.1f", (float64(i)+0.5)*step, float64(height-4)*(1-rate)+2))
	}
	flush()
	if height > 60 {
		label(&b, 2, 3, "1em", "100%")
		label(&b, 2, height-6, "0", "0%")
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

const widestBar = 40

// volumeChart stacks series day by day. A value that is there is always seen.
func volumeChart(days []history.DayTotals, all []series, width, height int) template.HTML {
	var b strings.Builder
	var most int64 = 1
	for i := range days {
		var sum int64
		for _, s := range all {
			sum += s.values[i]
		}
		most = max(most, sum)
	}
	svg(&b, width, height, fmt.Sprintf("Messages a day, at most %d", most))
	step := float64(width) / float64(max(len(days), 1))
	for i, d := range days {
		y := float64(height)
		for _, s := range all {
			if s.values[i] == 0 {
				continue
			}
			h := max(float64(s.values[i])/float64(most)*float64(height), 1.5)
			y -= h
			fmt.Fprintf(&b, `<rect class="%s" x="%.2f" y="%.2f" width="%.2f" height="%.2f"><title>%s %s: %d</title></rect>`,
				s.class, float64(i)*step, y, min(step*0.9, widestBar), h, d.Day, template.HTMLEscapeString(s.name), s.values[i])
		}
	}
	label(&b, 2, 0, "1em", fmt.Sprint(most))
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

// label writes a number beside its grid line, dy below y.
func label(b *strings.Builder, x, y int, dy, text string) {
	fmt.Fprintf(b, `<text class="tick" x="%d" y="%d" dy="%s">%s</text>`, x, y, dy, text)
}

// outcomeChart stacks what failed, was muted and passed.
func outcomeChart(days []history.DayTotals, width, height int) template.HTML {
	all := []series{{name: "failed", class: "fail"}, {name: "muted", class: "rest"}, {name: "passed", class: "pass"}}
	for _, d := range days {
		for i, v := range []int64{d.Fail, d.Muted, d.Pass} {
			all[i].values = append(all[i].values, v)
		}
	}
	return volumeChart(days, all, width, height)
}
