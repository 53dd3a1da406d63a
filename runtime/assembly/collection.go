package assembly

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// Schema is how the physical collection has to look: the user's indexes and the
// operator's own.
func Schema(c settings.Collection, owner string) store.Schema {
	d := c.Vectors.Dense
	s := store.Schema{
		Size: uint64(d.Size), Distance: d.Distance, OnDisk: d.OnDisk, Quantization: d.Quantization,
		Strict: c.Strict == nil || *c.Strict, Shards: uint32(c.Shards), Replicas: uint32(c.Replicas), Owner: owner,
		Indexes: store.OwnIndexes(),
	}
	for _, i := range c.PayloadIndexes {
		s.Indexes = append(s.Indexes, store.Index{Field: i.Field, Type: i.Type, Tenant: i.Tenant})
	}
	return s
}

// Physical names the collection that a Collection resource stands for: whose it
// is, and a fingerprint of what cannot be changed in place, so that changing
// such a field makes a new one.
func Physical(cluster, namespace, name string, c settings.Collection, model string) (string, error) {
	d := c.Vectors.Dense
	b, err := json.Marshal([]any{d.Size, d.Distance, c.Vectors.Sparse.Modifier, c.Shards, model})
	if err != nil {
		return "", fmt.Errorf("fingerprint collection: %w", err)
	}
	sum := sha256.Sum256(b)
	mark := hex.EncodeToString(sum[:5])
	room := longestName - len(strings.Join([]string{cluster, namespace, "", mark}, "."))
	return strings.Join([]string{cluster, namespace, shortened(name, room), mark}, "."), nil
}

// Alias is the name by which people find what a corpus serves.
func Alias(namespace, corpus string) string {
	return namespace + "." + shortened(corpus, longestName-len(namespace)-1)
}

// longestName is the store's bound on names, bytes.
const longestName = 255

// shortened bounds a name; a hash keeps it apart from others that begin alike.
func shortened(name string, most int) string {
	if len(name) <= most {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	hash := "-" + hex.EncodeToString(sum[:6])
	return name[:most-len(hash)] + hash
}

// Unindexed returns the fields by which documents are admitted that have no
// payload index of the right type: a query on one would be refused by the store.
func Unindexed(e settings.Eligibility, c settings.Collection) []string {
	types := map[string]string{}
	for _, i := range c.PayloadIndexes {
		types[i.Field] = i.Type
	}
	var out []string
	need := func(field, kind string) {
		missing := fmt.Sprintf("%s (%s)", field, kind)
		if field != "" && types[field] != kind && !slices.Contains(out, missing) {
			out = append(out, missing)
		}
	}
	for _, r := range e.Constants {
		need(r.Field, "Keyword")
	}
	for _, r := range e.Identity {
		need(r.Field, "Keyword")
	}
	for _, r := range e.Question {
		need(r.Field, "Keyword")
	}
	if v := e.Validity; v != nil {
		need(v.From, "Datetime")
		need(v.To, "Datetime")
	}
	return out
}
