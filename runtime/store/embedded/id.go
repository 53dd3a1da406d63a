package embedded

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/google/uuid"
	"github.com/qdrant/go-client/qdrant"
)

// pointID is a point's id: an integer, or a UUID as two big-endian halves.
type pointID struct {
	uuid   bool
	hi, lo uint64
}

// compare orders integers before UUIDs, integers by value and UUIDs by bytes.
func (a pointID) compare(b pointID) int {
	if a.uuid != b.uuid {
		if b.uuid {
			return -1
		}
		return 1
	}
	if c := cmp.Compare(a.hi, b.hi); c != 0 {
		return c
	}
	return cmp.Compare(a.lo, b.lo)
}

func (a pointID) String() string {
	if !a.uuid {
		return strconv.FormatUint(a.lo, 10)
	}
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], a.hi)
	binary.BigEndian.PutUint64(b[8:], a.lo)
	return uuid.UUID(b).String()
}

func (a pointID) proto() *qdrant.PointId {
	if a.uuid {
		return qdrant.NewIDUUID(a.String())
	}
	return qdrant.NewIDNum(a.lo)
}

// parseID reads an id in any of the UUID spellings that Qdrant accepts.
func parseID(id *qdrant.PointId) (pointID, error) {
	switch v := id.GetPointIdOptions().(type) {
	case *qdrant.PointId_Num:
		return pointID{lo: v.Num}, nil
	case *qdrant.PointId_Uuid:
		u, ok := parseUUID(v.Uuid)
		if !ok {
			return pointID{}, invalid("Unable to parse UUID: %s", v.Uuid)
		}
		return pointID{uuid: true, hi: binary.BigEndian.Uint64(u[:8]), lo: binary.BigEndian.Uint64(u[8:])}, nil
	}
	return pointID{}, invalid("No ID options provided")
}

func parseIDs(ids []*qdrant.PointId) ([]pointID, error) {
	out := make([]pointID, len(ids))
	for i, id := range ids {
		parsed, err := parseID(id)
		if err != nil {
			return nil, err
		}
		out[i] = parsed
	}
	return out, nil
}

// parseUUID accepts hyphenated, simple, urn and braced spellings in any case.
func parseUUID(s string) (uuid.UUID, bool) {
	if len(s) == 38 && (s[0] != '{' || s[37] != '}') {
		return uuid.UUID{}, false // uuid.Parse takes any two characters for braces
	}
	u, err := uuid.Parse(s)
	return u, err == nil
}

// GoString keeps ids readable in test failures.
func (a pointID) GoString() string { return fmt.Sprintf("id(%s)", a) }
