package digest

import (
	"image"
	"image/color"
	"image/png"
	"io"

	"github.com/mailfault/mailfault/dmarcreport/history"
)

// The size of a chart, drawn at twice the size it is shown at.
const (
	chartWidth  = 1120
	chartHeight = 180
)

var (
	passColor  = color.RGBA{0x1e, 0x66, 0xc4, 0xff}
	failColor  = color.RGBA{0xd3, 0x2f, 0x2f, 0xff}
	mutedColor = color.RGBA{0x9e, 0x9e, 0x9e, 0xff}
)

// Chart writes a PNG of the messages of each day, stacked: mail clients show
// PNG where they refuse SVG. A day with one failing message shows it.
func (d *Domain) Chart(w io.Writer) error {
	img := image.NewPaletted(image.Rect(0, 0, chartWidth, chartHeight), color.Palette{color.White, passColor, failColor, mutedColor})
	var most int64 = 1
	for _, day := range d.Days {
		most = max(most, day.Messages())
	}
	n := max(len(d.Days), 1)
	for i, day := range d.Days {
		left, right := i*chartWidth/n, (i+1)*chartWidth/n
		if right-left > 4 {
			right -= (right - left) / 6
		}
		bar(img, left, right, day.Totals, most)
	}
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	return encoder.Encode(w, img)
}

// bar draws failing mail at the foot, where it is seen.
func bar(img *image.Paletted, left, right int, t history.Totals, most int64) {
	y := chartHeight
	for _, part := range []struct {
		n     int64
		color uint8
	}{{t.Fail, 2}, {t.Muted, 3}, {t.Pass, 1}} {
		if part.n <= 0 {
			continue
		}
		height := max(int(float64(part.n)/float64(most)*chartHeight), 4)
		for top := max(y-height, 0); y > top; y-- {
			for x := left; x < right; x++ {
				img.SetColorIndex(x, y-1, part.color)
			}
		}
	}
}
