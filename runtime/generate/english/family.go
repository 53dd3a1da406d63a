package english

import "strings"

// families are words that say the same in rules and terms of work and trade. A
// word may stand in several. They are compared by root.
var families = gather(
	// people at work
	"employee staff worker workforce personnel person people someone anybody somebody colleague operative hand",
	"boss manager supervisor superior foreman chief head", "employer company firm works mill", "contractor contract agency", "newcomer joiner recruit",
	"client customer buyer purchaser", "supplier vendor seller", "visitor guest", "complaint complain grievance wrong unfair unfairly mistreat", "bully harass harassment",
	// absence
	"leave vacation holiday absence", "ill sick unwell illness sickness disease", "doctor medical physician practitioner", "note certificate",
	"mother maternity birth parental pregnant pregnancy baby newborn childbirth parent", "father paternity parent", "child children kid baby son daughter",
	"die death dead bereavement decease deceased funeral", "relative family spouse parent sibling kin partner", "spouse wife husband partner", "sibling brother sister",
	"festival holiday feast", "unused untaken remaining", "encash encashed cash", "carry forward",
	"court jury", "home house", "home remote remotely telework",
	// coming and going
	"quit resign resignation exit leaving departure leave", "fire dismiss dismissal terminate termination sack", "redundancy redundant abolish layoff cut eliminate severance retrench retrenchment",
	"job post position role employment", "joining join hire hired recruit start", "probation trial", "begin start commence", "end finish expire cease",
	// money
	"pay salary wage remuneration compensation payment paid money earnings", "payout severance settlement", "reimburse refund repay repaid", "claim expense",
	"charge fee cost price rate", "penalty fine surcharge", "bonus incentive", "advance loan borrow lend", "mistake error wrong", "overpay overpaid recover recovered",
	"contribute contribution pay paid", "discount rebate reduction", "credit transfer", "bank account", "increase raise increment rise", "deduct deduction withhold",
	// rules
	"deadline latest due", "submit file lodge hand send reach notify", "inform notify tell report", "approve approval authorise authorize authorisation authorization sanction permission consent agree agreed",
	"allow permit entitle entitled entitlement grant eligible eligibility allowed", "maximum limit cap ceiling exceed most max highest", "minimum least min lowest",
	"receive get", "need require necessary requirement must want", "window period", "late overdue delay delayed", "cancel withdraw revoke cancellation cancelled withdrawn withdrawal", "annual yearly year",
	"break rest pause", "sign signature", "forbidden prohibit prohibited banned ban",
	// disagreement and haste
	"object objection contest dispute challenge protest disagree", "refuse refusal reject rejection", "decide decision decider", "depart departed departure left leave", "fast faster quick quicker quickly soon sooner early earlier",
	"destroy destroyed destruction damage damaged loss lost lose", "throw dump discard dispose disposal", "steal stole stolen theft thief", "worth value",
	// goods and travel
	"car vehicle automobile", "drive journey trip travel", "kilometre kilometer km", "mile mileage", "truck lorry vehicle", "hotel lodging accommodation", "meal food subsistence eat",
	"goods product products item merchandise", "part component", "broken damage damaged breakage defect defective faulty fault", "deliver delivery ship shipment arrival arrive receipt",
	"delivery shipping carriage freight", "return send back", "replace replacement exchange", "wait waiting detention", "hazmat hazardous dangerous", "chemical acid bleach dyestuff solvent",
	"contract agreement", "warranty guarantee", "buy purchase", "internet broadband wifi", "laptop computer",
	// machines and safety
	"guard cover shield", "missing lose lost removed off", "machine equipment unit", "temperature heat hot overheat overheating", "cool cooling", "shut shutdown switch", "stop prevent avoid", "repair fix mend",
	"accident injury injured hurt", "fire alarm evacuation", "store keep retain retention kept", "lift carry", "heavy weight",
	"insurance insured cover coverage", "address location", "phone telephone call ring", "own personal private", "wash laundry launder", "clothes clothing uniform workwear",
)

func gather(groups ...string) map[string][]int {
	m := map[string][]int{}
	for i, g := range groups {
		for _, w := range strings.Fields(g) {
			m[Root(w)] = append(m[Root(w)], i)
		}
	}
	return m
}

// Kin reports whether two words say the same in a rule: one root, or one family.
func Kin(a, b Token) bool {
	return a.Root == b.Root || a.Stem == b.Stem || meet(families, a, b)
}

// contrasts are words that stand near each other in meaning and must never be
// taken for each other.
var contrasts = gather(
	"night day morning evening afternoon", "monday tuesday wednesday thursday friday saturday sunday weekend weekday",
	"male female man woman", "mother father", "maternity paternity", "gross net", "maximum minimum highest lowest",
	"domestic international foreign overseas", "permanent temporary casual probation probationary contractual", "employee contractor consultant intern apprentice trainee agency",
	"junior senior", "summer winter", "north south east west northern southern eastern western", "sick earned casual study compassionate unpaid annual sabbatical marriage wedding",
	"car motorcycle bicycle bike scooter train bus taxi flight air rail", "breakfast lunch dinner", "increase decrease", "incoming outgoing inbound outbound",
	"customer supplier carrier shipper consignee", "laptop phone desk chair", "debit credit", "import export", "front rear", "left right", "upper lower", "input output",
	"arrival departure", "second third fourth fifth", "hot cold", "full partial half", "indoor outdoor", "former current previous", "single double", "sell lease rent",
	"smoke water gas", "death marriage wedding", "email letter fax", "refrigerated dry", "domestic export",
)

// Contrary reports whether two different words exclude each other.
func Contrary(a, b Token) bool { return a.Root != b.Root && meet(contrasts, a, b) }

// meet reports whether two words stand in one group.
func meet(groups map[string][]int, a, b Token) bool {
	for _, x := range groups[a.Root] {
		for _, y := range groups[b.Root] {
			if x == y {
				return true
			}
		}
	}
	return false
}
