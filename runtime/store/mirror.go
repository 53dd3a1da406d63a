package store

import (
	"context"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
)

// Mirrored is what a Mirror found and did.
type Mirrored struct {
	Census  Census // of the points that were mirrored
	Written uint64 // that were missing or other in the copy
	Deleted uint64 // that the copy had besides
}

// Mirror makes a collection of one server the same as that of another: points with
// their payload and vectors as they are, nothing is computed anew. It walks both in
// the order of their ids, writes only what differs and deletes what the copy has
// besides, so that one that was cut off is taken up where it ended, and one that
// runs again copies only what has changed. A point counts as copied when its payload
// is there: a point is written as a whole, and its id stands for its text. With deep
// its vectors are looked at too, which reads both sides whole. progress, if not nil,
// is called with the points done, every page.
func Mirror(ctx context.Context, from, to *Client, name string, deep bool, progress func(done uint64)) (Mirrored, error) {
	m := mirror{to: to, name: name, deep: deep, out: Mirrored{Census: Census{}}}
	for pair, err := range zip(from.Scroll(ctx, name, nil, AllFields(), true), to.Scroll(ctx, name, nil, AllFields(), deep)) {
		if err == nil {
			err = m.take(ctx, pair)
		}
		if err != nil {
			return m.out, fmt.Errorf("copy collection %q: %w", name, err)
		}
		if progress != nil && m.seen%pageVectors == 0 {
			progress(m.seen)
		}
	}
	if err := m.flush(ctx); err != nil {
		return m.out, fmt.Errorf("copy collection %q: %w", name, err)
	}
	if progress != nil {
		progress(m.seen)
	}
	return m.out, nil
}

// mirror gathers what is to be written and deleted.
type mirror struct {
	to      *Client
	name    string
	deep    bool
	seen    uint64
	pending []Point
	surplus []string
	out     Mirrored
}

func (m *mirror) take(ctx context.Context, p pair) error {
	switch {
	case p.left == nil:
		m.surplus = append(m.surplus, p.right.ID)
	default:
		m.seen++
		m.out.Census.Add(p.left.Payload)
		if p.right == nil || !reflect.DeepEqual(p.left.Payload, p.right.Payload) || (m.deep && p.differs() != "") {
			m.pending = append(m.pending, p.left.Point())
		}
	}
	if len(m.pending) < batchPoints && len(m.surplus) < batchPoints {
		return nil
	}
	return m.flush(ctx)
}

func (m *mirror) flush(ctx context.Context) error {
	if err := m.to.Upsert(ctx, m.name, m.pending); err != nil {
		return err
	}
	if err := m.to.DeletePoints(ctx, m.name, ByIDs(m.surplus...)); err != nil {
		return err
	}
	m.out.Written += uint64(len(m.pending))
	m.out.Deleted += uint64(len(m.surplus))
	m.pending, m.surplus = m.pending[:0], m.surplus[:0]
	return nil
}

// Point is a record as it would be written again.
func (r *Record) Point() Point {
	return Point{ID: r.ID, Dense: r.Dense, Sparse: r.Sparse, Payload: r.Payload}
}

// MismatchError is a copy that isn't one.
type MismatchError struct {
	Collection string
	Detail     string
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("the copy of collection %q differs: %s", e.Collection, e.Detail)
}

// Compare holds a copy to its original, point by point: ids, payload, dense vectors
// to 1e-6 a component (a server may normalise them once more), sparse ones exactly,
// and counts by corpus, kind and generation. The first difference is a MismatchError.
func Compare(ctx context.Context, from, to *Client, name string) (Census, error) {
	original, copied := Census{}, Census{}
	for p, err := range zip(from.Scroll(ctx, name, nil, AllFields(), true), to.Scroll(ctx, name, nil, AllFields(), true)) {
		if err != nil {
			return nil, fmt.Errorf("compare collection %q: %w", name, err)
		}
		if p.left != nil {
			original.Add(p.left.Payload)
		}
		if p.right != nil {
			copied.Add(p.right.Payload)
		}
		if detail := p.differs(); detail != "" {
			return nil, &MismatchError{name, detail}
		}
	}
	if detail := original.Differ(copied); detail != "" {
		return nil, &MismatchError{name, detail}
	}
	return original, nil
}

// pair is a point of one id in two collections; nil where one lacks it.
type pair struct{ left, right *Record }

// differs says what is not the same; "" when all is.
func (p pair) differs() string {
	switch {
	case p.left == nil:
		return fmt.Sprintf("point %s is in it besides", p.right.ID)
	case p.right == nil:
		return fmt.Sprintf("point %s is missing", p.left.ID)
	case !reflect.DeepEqual(p.left.Payload, p.right.Payload):
		return fmt.Sprintf("point %s has another payload", p.left.ID)
	case !near(p.left.Dense, p.right.Dense):
		return fmt.Sprintf("point %s has another dense vector", p.left.ID)
	case !sameSparse(p.left.Sparse, p.right.Sparse):
		return fmt.Sprintf("point %s has another sparse vector", p.left.ID)
	}
	return ""
}

// closeness is how far components of one vector may lie apart on two servers.
const closeness = 1e-6

func near(a, b []float32) bool {
	if len(a) != len(b) {
		return false
	}
	for i, x := range a {
		if math.Abs(float64(x-b[i])) > closeness {
			return false
		}
	}
	return true
}

func sameSparse(a, b *Sparse) bool {
	if a == nil || b == nil {
		return (a == nil || len(a.Indices) == 0) && (b == nil || len(b.Indices) == 0)
	}
	return slices.Equal(a.Indices, b.Indices) && slices.Equal(a.Values, b.Values)
}

// zip walks two collections side by side, by id. A server that doesn't give points
// in the order of their ids is an error: what is missing could not be told.
func zip(left, right iter.Seq2[Record, error]) iter.Seq2[pair, error] {
	return func(yield func(pair, error) bool) {
		l, r := newCursor(left), newCursor(right)
		defer l.stop()
		defer r.stop()
		for {
			var p pair
			if l.err != nil || r.err != nil {
				yield(p, firstError(l.err, r.err))
				return
			}
			switch {
			case l.at == nil && r.at == nil:
				return
			case r.at == nil || (l.at != nil && l.at.ID < r.at.ID):
				p.left = l.take()
			case l.at == nil || r.at.ID < l.at.ID:
				p.right = r.take()
			default:
				p.left, p.right = l.take(), r.take()
			}
			if !yield(p, nil) {
				return
			}
		}
	}
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// cursor stands at a point; at is nil behind the last.
type cursor struct {
	pull func() (Record, error, bool)
	stop func()
	at   *Record
	err  error
}

func newCursor(seq iter.Seq2[Record, error]) *cursor {
	c := &cursor{}
	c.pull, c.stop = iter.Pull2(seq)
	c.advance()
	return c
}

// take returns the point and goes on to the next.
func (c *cursor) take() *Record {
	was := c.at
	c.advance()
	if c.err == nil && c.at != nil && c.at.ID <= was.ID {
		c.err = fmt.Errorf("the server gives point %s after %s: not in the order of ids", c.at.ID, was.ID)
	}
	return was
}

func (c *cursor) advance() {
	r, err, ok := c.pull()
	c.at, c.err = nil, err
	if ok && err == nil {
		c.at = &r
	}
}
