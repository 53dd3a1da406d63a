package main

func loomworks() []Document {
	return []Document{
		rulebook("loomworks/Loomworks_Leave_Rules", "Leave Rules", nil,
			Heading{2, "Holidays"},
			Prose("Each of us has twenty-four days of holiday a year, booked at least two weeks ahead. In the last week of December the works is shut and four of the days are used for it."),
			Heading{2, "Bereavement"},
			Prose("When a parent, partner, child, brother or sister dies, five days off are given on full pay. For other relatives it is one day, to attend the funeral."),
			Heading{2, "Illness"},
			Prose("Ring the time office before the shift begins. Full pay runs for three weeks and half pay for a further five. A doctor’s note is wanted from the fourth day on."),
			Heading{2, "Jury service"},
			Prose("Pay is made up to the usual wage for as long as the court sits."),
		),
		rulebook("loomworks/Loomworks_Travel_Rules", "Travel Rules", nil,
			Heading{2, "Vehicles"},
			Prose("For a journey on the firm’s business in a private car we refund 42 pence a mile, and for one on a motorcycle 21 pence. Commuting is no business journey."),
			Heading{2, "Tickets"},
			Prose("Rail and bus fares are refunded at standard class. Claims are paid out within ten working days after the receipt has been handed in, by bank transfer."),
			Heading{2, "Meals"},
			Prose("On trips of more than eight hours up to 14 pounds are refunded for food. Drinks at the bar are one’s own affair."),
		),
		rulebook("loomworks/Loomworks_Home_Working_Rules", "Home Working Rules", nil,
			Prose("Designers, planners and clerks can carry out their duties at home for three days of the week once they have been with us for six months. Their desk has to be safe: the time office sends a checklist. Operatives of the cutting, stitching and pressing sections are needed at their machines."),
			Prose("Customers’ patterns must not be taken out of the building, and screens are locked when anybody else is in the room."),
		),
		rulebook("loomworks/Loomworks_Exit_Rules", "Exit Rules", nil,
			Heading{2, "Resigning"},
			Prose("Anyone who wishes to leave hands in a letter four weeks before the last shift. During the probation time of three months it is one week."),
			Heading{2, "Last pay"},
			Prose("The last wage is paid on the usual day, with any holidays that were not taken. Tools and keys are given back before."),
			Heading{2, "References"},
			Prose("A reference states the dates and the post, and nothing else unless asked for."),
		),
	}
}

func dyehouse() []Document {
	return []Document{
		rulebook("dyehouse/Dyehouse_Leave_Rules", "Leave Rules", nil,
			Heading{2, "Holidays"},
			Prose("Each of us has twenty-one days of holiday a year, booked at least a month ahead."),
			Heading{2, "Bereavement"},
			Prose("When a parent, partner, child, brother or sister dies, three days off are given on full pay."),
		),
		rulebook("dyehouse/Dyehouse_Allowances", "Allowances", nil,
			Heading{2, "Chemicals"},
			Prose("Whoever handles dyestuffs, acids or bleach is paid an allowance of 38 pounds a week, and is given gloves, goggles and an apron."),
			Heading{2, "Heat"},
			Prose("In the stenter room 9 pounds are added for each shift on which the thermometer passes thirty-two degrees."),
		),
	}
}

func common() []Document {
	draft := map[string]any{"status": "draft"}
	return []Document{
		rulebook("all/Grievance_Procedure", "Grievance Procedure", nil,
			Prose("First talk to the person concerned, if you can. If you feel wronged by your own superior, go to the welfare officer, who will hear both sides within five working days and keep a note of it. Should that settle nothing, a panel of two shop stewards and one director decides within three weeks."),
			Prose("Nobody may be treated worse for having complained in good faith."),
		),
		rulebook("all/Safety_Handbook", "Safety Handbook", nil,
			Heading{2, "Machines"},
			Prose("Never run a machine whose guard has been taken off or is damaged. Switch it off at the wall, hang the red tag on the handle and tell the duty engineer."),
			Heading{2, "Fire"},
			Prose("On the bell leave by the nearest door, do not use the hoist, and gather at the weighbridge. The roll is called by section."),
			Heading{2, "Lifting"},
			Prose("Rolls above twenty-five kilograms are moved by two people or by the trolley."),
		),
		rulebook("all/Draft_Leave_Scheme", "Leave Scheme, draft for discussion", draft,
			Prose("It is proposed that both companies give thirty days of holiday, ten days on a bereavement and two days for moving house."),
		),
	}
}
