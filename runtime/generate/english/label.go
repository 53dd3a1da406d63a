package english

import (
	"slices"
	"strings"
)

// known are labels that papers use. They may follow another value on the same
// line, or stand in a cell of their own, where no punctuation says that a label
// begins.
var known = strings.Fields(`invoice_no invoice_number invoice_date invoice bill_no bill_date date due_date bill_to billed_to ship_to sold_to customer client buyer
 consignee vendor supplier order_no order_number order_date purchase_order po_no po_number buyer's_order gstin place_of_supply terms payment_terms payment total amount_due
 balance_due currency period month department prepared_by checked_by approved_by ref reference salesperson contact email phone account_no`)

// Label reports whether a text is a label that papers use: "Due Date".
func Label(text string) bool {
	name := strings.ToLower(strings.TrimRight(strings.Join(strings.Fields(text), "_"), ".:"))
	return slices.Contains(known, name)
}
