package pdfium

import (
	"fmt"
	"hash/fnv"
)

// Text may stand on a layer (optional content) that is off. The engine's text has it all
// the same, and no function of it tells which layers are on. What does tell is its
// drawing: text whose layer is on changes the picture of the page, other text doesn't.

const (
	layerDPI    = 72 // at which letters of any size leave a pixel
	layerPixels = 1 << 20
	maxLayers   = 16 // of a page that are drawn; each costs a picture of it
	markBytes   = 64
)

// layer names the layer that an object stands on: by the name of the layer, or by its
// place in the page where it has none. ok is false for an object that is always shown.
func (r *reader) layer(object uint64) (name string, ok bool) {
	in := r.in
	for i := range signed(in.call("FPDFPageObj_CountMarks", object)) {
		mark := in.call("FPDFPageObj_GetMark", object, uint64(i))
		out := in.scratch + markBytes
		if !succeeded(in.call("FPDFPageObjMark_GetName", mark, in.scratch, markBytes, out)) || in.wide(uint64(in.uint32(markBytes))) != "OC" {
			continue
		}
		ok = true
		title := in.parameter(mark, "Name")
		if title == "" {
			title = fmt.Sprint(mark)
		}
		name += "/" + title
	}
	return name, ok
}

// parameter is a text among a mark's properties, "" for none.
func (in *instance) parameter(mark uint64, name string) string {
	const room = 512
	key, err := in.store([]byte(name))
	if err != nil {
		return ""
	}
	ok := succeeded(in.call("FPDFPageObjMark_GetParamStringValue", mark, key, in.scratch, room, in.scratch+room))
	in.call("free", key)
	if n := uint64(in.uint32(room)); ok && n <= room {
		return in.wide(n)
	}
	return ""
}

// hideLayers marks the glyphs of text whose layer is off.
func (r *reader) hideLayers(layers map[string][]uint64) {
	if len(layers) == 0 {
		return
	}
	if len(layers) > maxLayers {
		r.capped("layers, of which it was not looked up whether they are shown", maxLayers)
		return
	}
	for _, objects := range layers {
		r.show(objects, false)
	}
	without, err := r.picture()
	off := map[uint64]bool{}
	for _, objects := range layers {
		r.show(objects, true)
		with, err2 := r.picture()
		if err == nil && err2 == nil && with == without {
			for _, o := range objects {
				off[o] = true
			}
		}
		r.show(objects, false)
	}
	for _, objects := range layers {
		r.show(objects, true)
	}
	for i := range r.page.Glyphs {
		if g := &r.page.Glyphs[i]; off[g.Object] {
			g.Hidden = true
		}
	}
}

func (r *reader) show(objects []uint64, on bool) {
	active := uint64(0)
	if on {
		active = 1
	}
	for _, o := range objects {
		r.in.call("FPDFPageObj_SetIsActive", o, active)
	}
}

// picture draws the page and returns a sum over its pixels.
func (r *reader) picture() (uint64, error) {
	memory := r.doc.engine.memory
	memory.admit(r.doc.engine.most)
	defer memory.admit(r.doc.engine.reading)
	dpi := fitting(r.page.Width, r.page.Height, layerDPI, layerPixels)
	w, h := max(1, int(r.page.Width*dpi/pointsPerInch)), max(1, int(r.page.Height*dpi/pointsPerInch))
	sum := fnv.New64a()
	err := r.doc.draw(r.ctx, r.handle, w, h, func(_ int, row []byte) { _, _ = sum.Write(row) })
	return sum.Sum64(), err
}
