package embedded

import (
	"context"

	"github.com/qdrant/go-client/qdrant"
)

// The older generation of Qdrant's searches, and what the project does not use.

func (*pointsService) Search(context.Context, *qdrant.SearchPoints) (*qdrant.SearchResponse, error) {
	return nil, unserved("Search, which Query replaces,")
}

func (*pointsService) SearchBatch(context.Context, *qdrant.SearchBatchPoints) (*qdrant.SearchBatchResponse, error) {
	return nil, unserved("SearchBatch, which QueryBatch replaces,")
}

func (*pointsService) SearchGroups(context.Context, *qdrant.SearchPointGroups) (*qdrant.SearchGroupsResponse, error) {
	return nil, unserved("SearchGroups, which QueryGroups replaces,")
}

func (*pointsService) Recommend(context.Context, *qdrant.RecommendPoints) (*qdrant.RecommendResponse, error) {
	return nil, unserved("recommendation")
}

func (*pointsService) RecommendBatch(context.Context, *qdrant.RecommendBatchPoints) (*qdrant.RecommendBatchResponse, error) {
	return nil, unserved("recommendation")
}

func (*pointsService) RecommendGroups(context.Context, *qdrant.RecommendPointGroups) (*qdrant.RecommendGroupsResponse, error) {
	return nil, unserved("recommendation")
}

func (*pointsService) Discover(context.Context, *qdrant.DiscoverPoints) (*qdrant.DiscoverResponse, error) {
	return nil, unserved("discovery")
}

func (*pointsService) DiscoverBatch(context.Context, *qdrant.DiscoverBatchPoints) (*qdrant.DiscoverBatchResponse, error) {
	return nil, unserved("discovery")
}

func (*pointsService) SearchMatrixPairs(context.Context, *qdrant.SearchMatrixPoints) (*qdrant.SearchMatrixPairsResponse, error) {
	return nil, unserved("a distance matrix")
}

func (*pointsService) SearchMatrixOffsets(context.Context, *qdrant.SearchMatrixPoints) (*qdrant.SearchMatrixOffsetsResponse, error) {
	return nil, unserved("a distance matrix")
}
