package embedded

import (
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// receipt is what a change leaves to wait for; the zero one has nothing.
type receipt struct {
	journal  *journal
	position int64
}

// settle waits until the change is on disk.
func (r receipt) settle() error {
	if r.journal == nil {
		return nil
	}
	if err := r.journal.wait(r.position); err != nil {
		return status.Errorf(codes.Internal, "Service internal error: %v", err)
	}
	return nil
}

// commit logs a change and then makes it. The caller holds writing shared, and the
// locks of what change touches, so that the log has the order of the changes.
func (s *Server) commit(kind recordKind, name string, message proto.Message, change func()) (receipt, error) {
	if s.folder == nil {
		change()
		return receipt{}, nil
	}
	encoded, err := body(kind, name, message)
	if err != nil {
		return receipt{}, status.Errorf(codes.Internal, "Service internal error: %v", err)
	}
	journal := s.folder.journal
	position, err := journal.append(encoded)
	if err != nil {
		return receipt{}, status.Errorf(codes.Internal, "Service internal error: %v", err)
	}
	change()
	s.snapshotIfDue(position)
	return receipt{journal, position}, nil
}

// snapshotIfDue replaces a grown log by a snapshot, in the background. size is the
// log's.
func (s *Server) snapshotIfDue(size int64) {
	limit := s.options.MaxLog
	if limit == 0 {
		limit = 64 << 20
	}
	if size < max(limit, s.folder.snapped) || !s.snapping.CompareAndSwap(false, true) {
		return
	}
	s.background.Add(1)
	go func() {
		defer s.background.Done()
		defer s.snapping.Store(false)
		if err := s.snapshot(); err != nil && s.options.Warn != nil {
			s.options.Warn(fmt.Errorf("take snapshot: %w", err))
		}
	}()
}

// snapshot begins a new pair of files. Writers wait for it, readers do not.
func (s *Server) snapshot() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	old := s.folder.journal
	if err := old.wait(old.size()); err != nil { // those who still wait for the old log need no sync of it afterwards
		return err
	}
	before := s.folder.number
	if err := s.folder.begin(before+1, s.writeSnapshot); err != nil {
		if errors.Is(err, errUncertain) {
			old.fail(err)
		}
		s.folder.snapped = old.size() * 2 // try again when as much has come in once more
		return err
	}
	return errors.Join(old.file.Close(), s.folder.sweep())
}
