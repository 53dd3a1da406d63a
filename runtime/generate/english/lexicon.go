package english

import "strings"

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// stop words only hold a sentence together.
var stop = set(`a an the of in on at to for from by with into onto as is are was were be been being am do does did done
 has have had having will would shall should ought can could may might must it its they them their theirs he him his she her hers we us our ours
 you your yours i me my mine this that these those there here and so then than also both such s t re ve ll
 what which who whom whose when where how much many if while about within`)

// filler words ask, or are polite, and restrict nothing.
var filler = set(`please tell give show list find let know say says said state states stated mention mentioned according
 listed appear appears appearing recorded record records included include includes contained contain contains shown present
 exist exists named name called get gets got hold holds held make makes made just only exactly actually current currently now
 want need like look up total overall altogether all together any some one ones want could kindly hi hello thanks thank
 per given printed entered covered full entire whole complete detail details information info`)

// Stop reports whether a folded word only holds a sentence together.
func Stop(fold string) bool { return stop[fold] }

// Filler reports whether a folded word of a question restricts nothing.
func Filler(fold string) bool { return stop[fold] || filler[fold] }

// negations turn a condition round; an engine that ignored one would be wrong.
var negations = set(`not no never neither nor none except excluding exclude excludes without other besides isnt arent wasnt werent dont doesnt didnt
 cannot cant wont hasnt havent hadnt non else unlike excepting apart`)

// Negation reports whether a folded word turns a condition round.
func Negation(fold string) bool { return negations[fold] }

// concepts are words that ask for the same thing in a header or label. A word
// stands in one concept at most; the key is the concept's name.
var concepts = index(map[string]string{
	"person":      "employee staff person worker personnel member workman labourer laborer workforce headcount labour colleague",
	"customer":    "customer client buyer purchaser consignee",
	"supplier":    "supplier vendor seller",
	"department":  "department division section team dept",
	"role":        "designation role title position post job occupation",
	"pay":         "pay salary wage remuneration compensation earn earning paid income payroll",
	"quantity":    "quantity qty unit piece pcs",
	"rate":        "rate price",
	"amount":      "amount value sum cost charge",
	"date":        "date dated when",
	"join":        "joining join joined hire hired",
	"place":       "location site place city branch where",
	"deduction":   "deduction deduct deducted",
	"leave":       "leave vacation",
	"absent":      "absent absence",
	"tax":         "tax gst vat",
	"telephone":   "telephone mobile cell",
	"email":       "email mail",
	"overtime":    "overtime",
	"description": "description item product goods article particulars material commodity",
	"due":         "due payable",
	"number":      "number id code identifier",
})

func index(groups map[string]string) map[string]string {
	m := map[string]string{}
	for name, words := range groups {
		for _, w := range strings.Fields(words) {
			m[Stem(w)] = name
		}
	}
	return m
}

// Concept returns the name of the concept that a stem belongs to, or "".
func Concept(stem string) string { return concepts[stem] }

// Same reports whether two tokens ask for the same thing in a header.
func Same(a, b Token) bool {
	if a.Stem == b.Stem || a.Root == b.Root && a.Kind == Word {
		return true
	}
	c := Concept(a.Stem)
	return c != "" && c == Concept(b.Stem)
}
