package english

import (
	"strings"

	snowball "github.com/kljensen/snowball/english"
)

// Stem returns the singular of a folded word, an abbreviation spelt out ("mgrs"
// is manager). It keeps apart what a register keeps apart: accountant and
// accounts, office and officer.
func Stem(fold string) string {
	if full, ok := abbreviations[fold]; ok {
		return full
	}
	if one, ok := plurals[fold]; ok {
		return one
	}
	one := singular(fold)
	if full, ok := abbreviations[one]; ok {
		return full
	}
	return one
}

// singular strips the regular plural endings.
func singular(w string) string {
	switch {
	case len(w) <= 3, !strings.HasSuffix(w, "s"):
		return w
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "xes"):
		return w[:len(w)-2]
	}
	return w[:len(w)-1]
}

// Root returns the stem by which words of one family meet ("approves",
// "approval"): Porter's second algorithm with its collisions taken out.
func Root(fold string) string {
	one := Stem(fold)
	for _, w := range []string{fold, one} {
		if r, ok := roots[w]; ok {
			return r
		}
	}
	return snowball.Stem(one, true)
}

// abbreviations are those usual in registers and invoices, one word each.
var abbreviations = map[string]string{
	"mgr": "manager", "mngr": "manager", "sr": "senior", "jr": "junior", "asst": "assistant", "assoc": "associate",
	"dept": "department", "deptt": "department", "desig": "designation", "desg": "designation", "emp": "employee",
	"acct": "account", "accts": "account", "acc": "account", "a/c": "account", "accounting": "account", "accounts": "account",
	"prod": "production", "exec": "executive", "eng": "engineer", "engr": "engineer", "tech": "technician",
	"supv": "supervisor", "supvr": "supervisor", "qty": "quantity", "qnty": "quantity", "amt": "amount", "inv": "invoice",
	"ltd": "limited", "pvt": "private", "co": "company", "corp": "corporation", "inc": "incorporated",
	"mfg": "manufacturing", "admin": "administration", "admn": "administration", "maint": "maintenance",
	"hrs": "hour", "hr": "hr", "ot": "overtime", "pct": "percent", "yr": "year", "yrs": "year", "mth": "month", "mths": "month",
	"wk": "week", "wks": "week", "addr": "address", "tel": "telephone", "ph": "telephone", "phone": "telephone",
	"mob": "mobile", "ded": "deduction", "allow": "allowance", "bal": "balance", "desc": "description",
	"no": "number", "nos": "number", "num": "number", "wt": "weight", "govt": "government", "intl": "international",
	"yes": "yes", "max": "maximum", "min": "minimum", "avg": "average", "ref": "reference", "temp": "temperature",
	"dob": "birth", "doj": "joining", "eff": "effective",
}

// plurals are the irregular ones, and singulars that look like a plural.
var plurals = map[string]string{
	"people": "person", "men": "man", "women": "woman", "children": "child", "staffs": "staff", "news": "news",
	"gross": "gross", "always": "always", "basis": "basis", "days": "day", "lens": "lens", "gas": "gas", "series": "series",
	"premises": "premises", "does": "does", "has": "has", "was": "was", "this": "this", "its": "its", "less": "less",
	"leaves": "leave", "wages": "wage", "employees": "employee", "addresses": "address", "bonuses": "bonus", "statuses": "status",
}

// roots are families that the algorithm misses, and words that it would put into
// the wrong one.
var roots = map[string]string{
	"paid": "pay", "pays": "pay", "paying": "pay", "payable": "payabl", "sent": "send", "bought": "buy", "sold": "sell",
	"gave": "give", "given": "give", "took": "take", "taken": "take", "kept": "keep", "chose": "choos", "chosen": "choos",
	"lost": "lose", "broke": "break", "broken": "break", "left": "left", "held": "hold", "met": "meet", "made": "make",
	"approval": "approv", "approver": "approv", "joiner": "join", "joining": "join", "joined": "join",
	"entitlement": "entitl", "eligibility": "elig", "eligible": "elig", "submission": "submit", "retention": "retain",
	"expiry": "expir", "expiration": "expir", "deduction": "deduct", "absence": "absent", "absenteeism": "absent",
	"termination": "termin", "renewal": "renew", "removal": "remov", "reimbursement": "reimburs", "payment": "payment",
	"withdrawn": "withdraw", "withdrew": "withdraw", "withdrawal": "withdraw", "cancellation": "cancel",
	"working": "work", "worked": "work", "worker": "worker", "overheating": "overheat",
	"accountant": "accountant", "officer": "officer", "customer": "customer", "designation": "designation",
	"department": "department", "departmental": "department", "allowance": "allowance", "register": "register",
	"registration": "registration", "employment": "employment", "employer": "employer", "production": "production",
	"product": "product", "operation": "operation", "operations": "operation", "operator": "operator", "operate": "operat",
	"organisation": "organisation", "organization": "organisation", "attendance": "attendance", "attendant": "attendant",
	"security": "security", "secure": "secure", "university": "university", "universal": "universal", "general": "general",
	"generate": "generate", "generation": "generate", "maturity": "maturity", "mature": "mature", "policy": "policy", "police": "police",
	"wanted": "want", "number": "number", "numb": "numb", "international": "international", "internal": "internal",
	"delivery": "deliver", "notice": "notice", "notify": "notify", "notification": "notify", "notified": "notify", "rated": "rate", "rating": "rating",
	"invoice": "invoice", "invoiced": "invoice", "invoicing": "invoice",
	"holiday": "holiday", "hourly": "hour", "weekly": "week", "monthly": "month", "yearly": "year", "annually": "annual", "daily": "day",
}
