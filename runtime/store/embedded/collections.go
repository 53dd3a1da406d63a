package embedded

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/qdrant/go-client/qdrant"
)

// collectionsService makes, describes, changes and drops collections.
type collectionsService struct {
	qdrant.UnimplementedCollectionsServer
	server *Server
}

// find resolves a name or an alias. The caller holds mu.
func (s *Server) find(name string) (*collection, error) {
	if c := s.collections[name]; c != nil {
		return c, nil
	}
	if target, ok := s.aliases[name]; ok {
		return s.collections[target], nil
	}
	return nil, noCollection(name)
}

func (s *collectionsService) Get(_ context.Context, r *qdrant.GetCollectionInfoRequest) (*qdrant.GetCollectionInfoResponse, error) {
	start := time.Now()
	var v violations
	v.name(r.GetCollectionName())
	if err := v.err(); err != nil {
		return nil, err
	}
	s.server.mu.RLock()
	defer s.server.mu.RUnlock()
	c, err := s.server.find(r.GetCollectionName())
	if err != nil {
		return nil, err
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	return &qdrant.GetCollectionInfoResponse{Result: c.info(), Time: elapsed(start)}, nil
}

func (s *collectionsService) List(context.Context, *qdrant.ListCollectionsRequest) (*qdrant.ListCollectionsResponse, error) {
	start := time.Now()
	s.server.mu.RLock()
	defer s.server.mu.RUnlock()
	out := &qdrant.ListCollectionsResponse{}
	for _, name := range slices.Sorted(maps.Keys(s.server.collections)) {
		out.Collections = append(out.Collections, &qdrant.CollectionDescription{Name: name})
	}
	out.Time = elapsed(start)
	return out, nil
}

func (s *collectionsService) CollectionExists(_ context.Context, r *qdrant.CollectionExistsRequest) (*qdrant.CollectionExistsResponse, error) {
	start := time.Now()
	var v violations
	v.name(r.GetCollectionName())
	if err := v.err(); err != nil {
		return nil, err
	}
	s.server.mu.RLock()
	defer s.server.mu.RUnlock()
	_, err := s.server.find(r.GetCollectionName())
	return &qdrant.CollectionExistsResponse{Result: &qdrant.CollectionExists{Exists: err == nil}, Time: elapsed(start)}, nil
}

func (s *collectionsService) Delete(_ context.Context, r *qdrant.DeleteCollection) (*qdrant.CollectionOperationResponse, error) {
	start := time.Now()
	var v violations
	v.name(r.GetCollectionName())
	atLeast(&v, "timeout", r.Timeout, 1)
	if err := v.err(); err != nil {
		return nil, err
	}
	return s.change(start, func() (bool, receipt, error) {
		if s.server.collections[r.GetCollectionName()] == nil {
			return false, receipt{}, nil
		}
		done, err := s.server.commit(recordDrop, r.GetCollectionName(), nil, func() { s.server.drop(r.GetCollectionName()) })
		return true, done, err
	})
}

// drop forgets a collection and the aliases that lead to it.
func (s *Server) drop(name string) {
	delete(s.collections, name)
	maps.DeleteFunc(s.aliases, func(_, target string) bool { return target == name })
}

// change runs one change under the server's lock, waits for the disk and answers
// with its result.
func (s *collectionsService) change(start time.Time, run func() (bool, receipt, error)) (*qdrant.CollectionOperationResponse, error) {
	s.server.writing.RLock()
	s.server.mu.Lock()
	result, done, err := run()
	s.server.mu.Unlock()
	s.server.writing.RUnlock()
	if err != nil {
		return nil, err
	}
	if err := done.settle(); err != nil {
		return nil, err
	}
	return &qdrant.CollectionOperationResponse{Result: result, Time: elapsed(start)}, nil
}

// elapsed is the time since start, seconds.
func elapsed(start time.Time) float64 { return time.Since(start).Seconds() }

func (*collectionsService) CollectionClusterInfo(context.Context, *qdrant.CollectionClusterInfoRequest) (*qdrant.CollectionClusterInfoResponse, error) {
	return nil, unserved("cluster information")
}

func (*collectionsService) UpdateCollectionClusterSetup(context.Context, *qdrant.UpdateCollectionClusterSetupRequest) (*qdrant.UpdateCollectionClusterSetupResponse, error) {
	return nil, unserved("a cluster's set-up")
}

func (*collectionsService) CreateShardKey(context.Context, *qdrant.CreateShardKeyRequest) (*qdrant.CreateShardKeyResponse, error) {
	return nil, unserved("a shard key")
}

func (*collectionsService) DeleteShardKey(context.Context, *qdrant.DeleteShardKeyRequest) (*qdrant.DeleteShardKeyResponse, error) {
	return nil, unserved("a shard key")
}

func (*collectionsService) ListShardKeys(context.Context, *qdrant.ListShardKeysRequest) (*qdrant.ListShardKeysResponse, error) {
	return nil, unserved("a shard key")
}
