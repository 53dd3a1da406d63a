package embedded

import (
	"math"

	"github.com/qdrant/go-client/qdrant"
)

// location is a point on the globe, degrees.
type location struct{ lon, lat float64 }

// geoArea is where a field condition wants a location to be.
type geoArea interface{ holds(location) bool }

// geoPoint reads an object with lon and lat.
func geoPoint(v *qdrant.Value) (location, bool) {
	fields := v.GetStructValue().GetFields()
	lon, hasLon := number(fields["lon"])
	lat, hasLat := number(fields["lat"])
	return location{lon, lat}, hasLon && hasLat
}

// globe reads what a geo index takes: a location within the globe's bounds.
func globe(v *qdrant.Value) (location, bool) {
	p, ok := geoPoint(v)
	return p, ok && math.Abs(p.lat) <= 90 && math.Abs(p.lon) <= 180
}

func parseGeo(f *qdrant.FieldCondition) (geoArea, error) {
	switch {
	case f.GetGeoRadius() != nil:
		c := f.GetGeoRadius().GetCenter()
		if c == nil {
			return nil, invalid("Malformed GeoRadius type")
		}
		return circle{location{c.GetLon(), c.GetLat()}, float64(f.GetGeoRadius().GetRadius())}, nil
	case f.GetGeoBoundingBox() != nil:
		a, b := f.GetGeoBoundingBox().GetTopLeft(), f.GetGeoBoundingBox().GetBottomRight()
		if a == nil || b == nil {
			return nil, invalid("Malformed GeoBoundingBox type")
		}
		return geoBox{location{a.GetLon(), a.GetLat()}, location{b.GetLon(), b.GetLat()}}, nil
	case f.GetGeoPolygon() != nil:
		return nil, unserved("a filter by polygon")
	}
	return nil, nil
}

// circle is all within a distance, metres.
type circle struct {
	center location
	radius float64
}

// earthRadius is the mean radius that Qdrant computes distances with, metres.
const earthRadius = 6371008.8

func (c circle) holds(p location) bool {
	const degree = math.Pi / 180
	dLat, dLon := (p.lat-c.center.lat)*degree, (p.lon-c.center.lon)*degree
	a := math.Pow(math.Sin(dLat/2), 2) + math.Cos(p.lat*degree)*math.Cos(c.center.lat*degree)*math.Pow(math.Sin(dLon/2), 2)
	return 2*earthRadius*math.Asin(math.Min(1, math.Sqrt(a))) < c.radius
}

// geoBox lies between two corners; it may cross the date line.
type geoBox struct{ topLeft, bottomRight location }

func (b geoBox) holds(p location) bool {
	if p.lat <= b.bottomRight.lat || p.lat >= b.topLeft.lat {
		return false
	}
	if b.topLeft.lon > b.bottomRight.lon {
		return p.lon > b.topLeft.lon || p.lon < b.bottomRight.lon
	}
	return p.lon > b.topLeft.lon && p.lon < b.bottomRight.lon
}
