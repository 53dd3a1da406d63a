package anthropic

import (
	"fmt"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/hardgate-dev/hardgate/runtime/generate/model"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// citing is how this API cites.
const citing = `The passages come as search results, a table's rows and a text's sentences each as a block of its own. Cite the blocks that each statement rests on.`

// page is a prompt as this API takes it, and the way back from its citations.
type page struct {
	system string
	blocks []sdk.ContentBlockParamUnion
	units  [][]*model.Ref // by search result and block; nil for a block that is no unit
	sent   []string
}

// lay makes a search result of each passage. Only units with a handle are sent,
// so that nothing can be cited that the kept context does not name.
func lay(in rag.PromptContext) page {
	p := page{system: model.System(in, citing)}
	p.sent = append(p.sent, p.system)
	for i := range in.Hits {
		p.passage(in, i)
	}
	question := model.Fence("question", in.Question.Text)
	p.sent = append(p.sent, question)
	p.blocks = append(p.blocks, sdk.NewTextBlock(question))
	return p
}

// passage adds one search result: the columns of a table first, then its rows.
func (p *page) passage(in rag.PromptContext, index int) {
	hit := in.Hits[index]
	var content []sdk.TextBlockParam
	var units []*model.Ref
	add := func(text string, ref *model.Ref) {
		content = append(content, sdk.TextBlockParam{Text: text})
		units = append(units, ref)
		p.sent = append(p.sent, text)
	}
	if columns := model.Columns(hit.Chunk); columns != "" {
		add(columns, nil)
	}
	named := 0
	for _, h := range in.Handles {
		if h.Hit != index {
			continue
		}
		if text := model.OneLine(hit.Units[h.Unit].Text); text != "" { // the API takes no empty block
			add(text, &model.Ref{Hit: h.Hit, Unit: h.Unit})
			named++
		}
	}
	if named == 0 {
		return
	}
	if hit.Lost > 0 {
		add(fmt.Sprintf("(%d rows of this table are missing here)", hit.Lost), nil)
	}
	title := model.Caption(hit.Chunk)
	p.sent = append(p.sent, title)
	block := sdk.NewSearchResultBlock(content, hit.Evidence(), title)
	block.OfSearchResult.Citations = sdk.CitationsConfigParam{Enabled: sdk.Bool(true)}
	p.blocks = append(p.blocks, block)
	p.units = append(p.units, units)
}

// refs are the units from block start up to, not including, end; ok is false for
// a range that was not in the prompt.
func (p *page) refs(result, start, end int64) (refs []model.Ref, ok bool) {
	if result < 0 || result >= int64(len(p.units)) || start < 0 || end <= start || end > int64(len(p.units[result])) {
		return nil, false
	}
	for _, ref := range p.units[result][start:end] {
		if ref != nil {
			refs = append(refs, *ref)
		}
	}
	return refs, true
}
