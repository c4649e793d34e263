package main

import (
	"crypto/rand"
	"slices"
	"sync"
)

// Bounds of what is said of an upload.
const (
	maxMessages = 20
	maxLines    = 20
	maxLine     = 500
)

// messages are what was said of the latest uploads. The page's address names
// one and does not hold it: nobody can have the page say something by a link.
type messages struct {
	mu   sync.Mutex
	said []upload // oldest first
}

type upload struct{ id, text string }

// add keeps a text and returns its name.
func (m *messages) add(text string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.said) == maxMessages {
		m.said = slices.Delete(m.said, 0, 1)
	}
	id := rand.Text()
	m.said = append(m.said, upload{id, text})
	return id
}

// get returns a text, "" where it is not known.
func (m *messages) get(id string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, one := range m.said {
		if one.id == id {
			return one.text
		}
	}
	return ""
}
