package settings

import (
	"fmt"
	"slices"
	"strings"
)

// Access maps who asks to a tenant, by at most one of its fields.
type Access struct {
	Tenants               []Tenant `json:"tenants,omitempty"`
	TenantFromGroupPrefix string   `json:"tenantFromGroupPrefix,omitempty"`
	TenantFromNamespace   bool     `json:"tenantFromNamespace,omitempty"`
}

// Tenant is the groups that belong to one tenant.
type Tenant struct {
	Tenant string   `json:"tenant"`
	Groups []string `json:"groups"`
}

// Tenant returns the tenant of somebody with these groups, whose ServiceAccount
// is in the namespace ("" for anyone else). Somebody who maps to none gets "",
// which matches no document; more than one is an error, since guessing would
// show one tenant's documents to another.
func (a Access) Tenant(groups []string, namespace string) (string, error) {
	found := map[string]bool{}
	for _, t := range a.Tenants {
		if slices.ContainsFunc(t.Groups, func(g string) bool { return slices.Contains(groups, g) }) {
			found[t.Tenant] = true
		}
	}
	if !Blank(a.TenantFromGroupPrefix) {
		for _, g := range groups {
			if t, ok := strings.CutPrefix(g, a.TenantFromGroupPrefix); ok && !Blank(t) {
				found[t] = true
			}
		}
	}
	if a.TenantFromNamespace && !Blank(namespace) {
		found[namespace] = true
	}
	var tenants []string
	for t := range found {
		tenants = append(tenants, t)
	}
	switch len(tenants) {
	case 0:
		return "", nil
	case 1:
		return tenants[0], nil
	}
	slices.Sort(tenants)
	return "", fmt.Errorf("the groups belong to more than one tenant: %s", strings.Join(tenants, ", "))
}
