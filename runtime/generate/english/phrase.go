package english

import "strings"

// phrases are turns of several words with the single word that says the same.
var phrases = strings.NewReplacer(
	" passed away ", " died ", " passes away ", " dies ", " let go ", " dismissed ", " laid off ", " made redundant ",
	" day off ", " day leave ", " days off ", " days leave ", " time off ", " leave ", " off work ", " on leave ", " stay at home ", " be on leave ", " stay home ", " be on leave ",
	" get back ", " get refunded ", " paid back ", " refunded ", " give back ", " return ", " hand in ", " submit ", " handed in ", " submitted ",
	" falls ill ", " is sick ", " fall ill ", " are sick ", " gets married ", " marriage ", " get married ", " marriage ", " going out ", " paid out ",
	" turned away ", " refused ", " turn away ", " refuse ", " turns away ", " refuses ", " won't take ", " refuses ", " will not take ", " refuses ", " would not take ", " refused ",
	" payment terms ", " payment ", " terms of payment ", " payment ", " get away ", " depart ", " got away ", " departed ", " drive off ", " depart ", " drove off ", " departed ", " set off ", " departed ",
	" throw away ", " dump ", " throw out ", " dump ", " get rid of ", " dump ",
	" come in ", " be called in ", " came in ", " was called in ", " not used ", " unused ", " not been used ", " unused ", " carried over ", " carried forward ", " carry over ", " carry forward ",
)

// Plain puts turns of several words into the one that rules use: "passed away"
// into "died".
func Plain(text string) string {
	spaced := " " + strings.NewReplacer("?", " ?", ".", " .", ",", " ,").Replace(text) + " "
	return strings.TrimSpace(phrases.Replace(spaced))
}
