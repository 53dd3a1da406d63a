package embedded

import (
	"strings"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// pointsService reads, writes, filters and searches points.
type pointsService struct {
	qdrant.UnimplementedPointsServer
	server *Server
}

// write runs one change of a collection's points and, for who wants to wait, waits
// until it is on disk.
func (s *pointsService) write(name string, wait bool, change func(c *collection) (receipt, error)) (*qdrant.PointsOperationResponse, error) {
	start := time.Now()
	done, err := s.changed(name, change)
	if err != nil && (wait || !missing(err)) {
		return nil, err
	}
	result := &qdrant.UpdateResult{Status: qdrant.UpdateStatus_Acknowledged}
	if wait {
		result.Status = qdrant.UpdateStatus_Completed
		if err := done.settle(); err != nil {
			return nil, err
		}
	}
	return &qdrant.PointsOperationResponse{Result: result, Time: elapsed(start)}, nil
}

func (s *pointsService) changed(name string, change func(c *collection) (receipt, error)) (receipt, error) {
	s.server.writing.RLock()
	defer s.server.writing.RUnlock()
	s.server.mu.RLock()
	defer s.server.mu.RUnlock()
	c, err := s.server.find(name)
	if err != nil {
		return receipt{}, err
	}
	return change(c)
}

// missing reports whether a change met an unknown id; the known ones were changed
// nevertheless. Who does not wait is not told.
func missing(err error) bool {
	return status.Code(err) == codes.NotFound && !strings.HasPrefix(status.Convert(err).Message(), "Not found: Collection")
}

// read runs a reading request on a collection.
func (s *pointsService) read(name string, answer func(c *collection) error) error {
	s.server.mu.RLock()
	defer s.server.mu.RUnlock()
	c, err := s.server.find(name)
	if err != nil {
		return err
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	return answer(c)
}

// unsharded refuses a shard key: no collection here has any.
func unsharded(selector *qdrant.ShardKeySelector) error {
	keys := selector.GetShardKeys()
	if len(keys) == 0 {
		return nil
	}
	if k, ok := keys[0].GetKey().(*qdrant.ShardKey_Number); ok {
		return wrongInput("Shard key %d not found", k.Number)
	}
	return wrongInput("Shard key %q not found", keys[0].GetKeyword())
}
