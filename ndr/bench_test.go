package ndr

import "testing"

func BenchmarkParse(b *testing.B) {
	text, html := fixtureParts(b, "current-2017-sender.eml")
	b.Run("HTML", func(b *testing.B) {
		b.SetBytes(int64(len(html)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := ParseHTML(html); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("text", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := ParseText(text); err != nil {
				b.Fatal(err)
			}
		}
	})
}
