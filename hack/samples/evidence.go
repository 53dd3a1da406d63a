package main

// evidence is the lab of config/samples: the papers of two machines, of which
// several stand beside each other in two revisions. What a question may use is
// decided by product, status, groups and validity; which of it answers, by the
// passage. Names come from the metadata, since a file's name says nothing of them.
func evidence() Sample {
	var docs []Document
	docs = append(docs, evidenceSpecifications()...)
	docs = append(docs, evidenceTerms()...)
	docs = append(docs, evidenceGuides()...)
	return Sample{Dir: "config/samples/evidence-lab", Documents: docs, Variants: []string{"-incomplete"}}
}

// paper is one revision of a document of the lab.
type paper struct {
	ID, Revision string
	Product      string
	Status       string   // "" is published
	Groups       []string // nil is everybody: sales and operations
	From, To     string   // first day, and first day no longer; "" is open
}

// fields are the paper's line in metadata.jsonl.
func (p paper) fields() map[string]any {
	out := map[string]any{
		"document": p.ID, "revision": p.Revision, "product": p.Product,
		"status": "published", "groups": []string{"sales", "operations"}, "valid_from": p.From,
	}
	if p.Status != "" {
		out["status"] = p.Status
	}
	if p.Groups != nil {
		out["groups"] = p.Groups
	}
	if p.To != "" {
		out["valid_to"] = p.To
	}
	return out
}

// titled sets a paper under its title.
func (p paper) titled(key, title string, look Look, contents ...Block) Document {
	return Document{
		Key: key, Title: title, Fields: p.fields(), Look: look,
		Contents: append([]Block{Heading{1, title}}, contents...),
	}
}

func evidenceSpecifications() []Document {
	look := Look{Size: 10.5, Numbered: true}
	return []Document{
		paper{ID: "ax-42-spec", Revision: "v1", Product: "AX-42", From: "2025-01-01", To: "2026-03-15"}.titled(
			"specifications/ax-42-spec-v1.pdf", "AX-42 Technical Specification", look,
			Heading{2, "Operating temperature"},
			Prose("The maximum operating temperature is 40 °C, measured at the air intake. Below 5 °C the unit does not start."),
			Heading{2, "Power supply"},
			Prose("The unit runs from 230 V at 50 Hz and draws up to 900 W at full workload."),
			Heading{2, "Dimensions"},
			Prose("The unit is 440 mm wide, 88 mm high and 610 mm deep. It weighs 14 kg without its rails."),
		),
		paper{ID: "ax-42-spec", Revision: "v2", Product: "AX-42", From: "2026-03-15"}.titled(
			"specifications/ax-42-spec-v2.pdf", "AX-42 Technical Specification", look,
			Heading{2, "Operating temperature"},
			Prose("The maximum operating temperature is 45 °C, measured at the air intake. Below 0 °C the unit does not start. Above the limit the controller lowers its own speed and raises an alarm."),
			Heading{2, "Power supply"},
			Prose("The unit runs from 100 V to 240 V at 50 Hz or 60 Hz and draws up to 850 W at full workload."),
			Heading{2, "Dimensions"},
			Prose("The unit is 440 mm wide, 88 mm high and 580 mm deep. It weighs 13 kg without its rails."),
			Heading{2, "Sound level"},
			Prose("At full workload the sound level is 58 dB at one metre from the front."),
		),
		paper{ID: "ax-24-spec", Revision: "v1", Product: "AX-24", From: "2025-01-01", To: "2026-03-15"}.titled(
			"specifications/ax-24-spec-v1.pdf", "AX-24 Technical Specification", look,
			Heading{2, "Operating temperature"},
			Prose("The maximum operating temperature is 35 °C, measured at the air intake. Below 5 °C the unit does not start."),
			Heading{2, "Power supply"},
			Prose("The unit runs from 230 V at 50 Hz and draws up to 400 W at full workload."),
		),
		paper{ID: "ax-24-spec", Revision: "v2", Product: "AX-24", From: "2026-03-15"}.titled(
			"specifications/ax-24-spec-v2.pdf", "AX-24 Technical Specification", look,
			Heading{2, "Operating temperature"},
			Prose("The maximum operating temperature is 38 °C, measured at the air intake. Below 0 °C the unit does not start."),
			Heading{2, "Power supply"},
			Prose("The unit runs from 100 V to 240 V at 50 Hz or 60 Hz and draws up to 380 W at full workload."),
		),
	}
}
