package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// listingRoot is the element that every answer to a listing is.
const listingRoot = "<ListBucketResult"

// rootWithin is how far into an answer its root may stand: after a byte order
// mark, an XML declaration and some space.
const rootWithin = 512

// listings refuses an answer of 200 to a listing that is no listing: a proxy's
// page or an error sent with that status would decode as an empty one, and every
// document of the corpus would seem to be deleted.
type listings struct{ http.RoundTripper }

func (l *listings) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := l.RoundTripper.RoundTrip(r)
	if err != nil || resp.StatusCode != http.StatusOK || r.Method != http.MethodGet || r.URL.Query().Get("list-type") != "2" {
		return resp, err
	}
	buffered := bufio.NewReaderSize(resp.Body, rootWithin)
	head, err := buffered.Peek(rootWithin)
	if !bytes.Contains(head, []byte(listingRoot)) {
		_ = resp.Body.Close() // not read any further
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read the listing: %w", err)
		}
		return nil, fmt.Errorf("%s answered the listing with something else, beginning %.60q: is source.s3.endpoint an S3 server's?", r.URL.Host, head)
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{buffered, resp.Body}
	return resp, nil
}
