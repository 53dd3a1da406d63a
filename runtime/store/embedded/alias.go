package embedded

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/qdrant/go-client/qdrant"
)

// UpdateAliases runs the actions one after another. A failing one ends it, and
// those before it stay: that is Qdrant's behaviour, and callers must know it.
func (s *collectionsService) UpdateAliases(_ context.Context, r *qdrant.ChangeAliases) (*qdrant.CollectionOperationResponse, error) {
	start := time.Now()
	var v violations
	atLeast(&v, "timeout", r.Timeout, 1)
	if err := v.err(); err != nil {
		return nil, err
	}
	for _, a := range r.GetActions() {
		if a.GetAction() == nil {
			return nil, invalid("Malformed AliasOperation type")
		}
	}
	return s.change(start, func() (bool, receipt, error) {
		var done receipt
		for _, a := range r.GetActions() {
			last, err := s.aliasAction(a)
			if err != nil {
				return false, receipt{}, err
			}
			if last.journal != nil {
				done = last
			}
		}
		return true, done, nil
	})
}

func (s *collectionsService) aliasAction(a *qdrant.AliasOperations) (receipt, error) {
	switch k := a.GetAction().(type) {
	case *qdrant.AliasOperations_CreateAlias:
		alias, target := k.CreateAlias.GetAliasName(), k.CreateAlias.GetCollectionName()
		if s.server.collections[target] == nil {
			return receipt{}, noCollection(target)
		}
		if s.server.collections[alias] != nil {
			return receipt{}, collectionExists(alias)
		}
		return s.commitAlias(alias, target)
	case *qdrant.AliasOperations_DeleteAlias:
		return s.commitAlias(k.DeleteAlias.GetAliasName(), "")
	case *qdrant.AliasOperations_RenameAlias:
		target, ok := s.server.aliases[k.RenameAlias.GetOldAliasName()]
		if !ok {
			return receipt{}, notFound("Alias %s does not exists!", k.RenameAlias.GetOldAliasName())
		}
		if _, err := s.commitAlias(k.RenameAlias.GetOldAliasName(), ""); err != nil {
			return receipt{}, err
		}
		return s.commitAlias(k.RenameAlias.GetNewAliasName(), target)
	}
	return receipt{}, invalid("Malformed AliasOperation type")
}

// commitAlias points an alias at a collection, or removes it: target "".
func (s *collectionsService) commitAlias(alias, target string) (receipt, error) {
	m := &qdrant.AliasDescription{AliasName: alias, CollectionName: target}
	return s.server.commit(recordAlias, "", m, func() { s.server.setAlias(m) })
}

func (s *Server) setAlias(m *qdrant.AliasDescription) {
	if m.GetCollectionName() == "" {
		delete(s.aliases, m.GetAliasName())
		return
	}
	s.aliases[m.GetAliasName()] = m.GetCollectionName()
}

func (s *collectionsService) ListAliases(context.Context, *qdrant.ListAliasesRequest) (*qdrant.ListAliasesResponse, error) {
	return s.list(func(string) bool { return true }), nil
}

func (s *collectionsService) ListCollectionAliases(_ context.Context, r *qdrant.ListCollectionAliasesRequest) (*qdrant.ListAliasesResponse, error) {
	var v violations
	v.name(r.GetCollectionName())
	if err := v.err(); err != nil {
		return nil, err
	}
	return s.list(func(target string) bool { return target == r.GetCollectionName() }), nil
}

func (s *collectionsService) list(wanted func(target string) bool) *qdrant.ListAliasesResponse {
	start := time.Now()
	s.server.mu.RLock()
	defer s.server.mu.RUnlock()
	out := &qdrant.ListAliasesResponse{}
	for _, alias := range slices.Sorted(maps.Keys(s.server.aliases)) {
		if target := s.server.aliases[alias]; wanted(target) {
			out.Aliases = append(out.Aliases, &qdrant.AliasDescription{AliasName: alias, CollectionName: target})
		}
	}
	out.Time = elapsed(start)
	return out
}
