/** Owns the descriptions of what is filed about a company: filings, charges, insolvency. */

/** Descriptions by member. */
export const filingWords: Readonly<Record<string, string>> = {
  transaction_id: "Identifier of the filing.",
  category: "What the filing is about.",
  subcategory: "What the filing is about within its category: one value, or a list of them.",
  action_date: "Day of the event that the filing reports.",
  barcode: "Barcode of the filed document.",
  pages: "Pages of the document.",
  paper_filed: "True if the filing came on paper; otherwise absent.",
  annotations: "Notes that were added to the filing.",
  annotation: "Text of the note.",
  associated_filings: "Filings that came with this one.",
  resolutions: "Resolutions in the filing.",
  receive_date: "Day on which the resolution was received.",
  document_id: "Identifier of the document at the registrar.",
  delta_at: "Date and time of the registrar's last change.",
  figure: "The amount, as it was filed.",
  currency: "Currency of the amount.",

  charge_code:
    "Code of the charge: the company's number and four digits. Charges from before 2013 have none.",
  charge_number: "Number of the charge among those of its company.",
  created_on: "Day on which the charge was created.",
  delivered_on: "Day on which the charge was delivered for registration.",
  acquired_on: "Day on which property with an existing charge was acquired.",
  covering_instrument_date: "Day of the instrument that covers the charge.",
  satisfied_on: "Day on which the charge was satisfied.",
  resolved_on: "Day on which a matter of the charge was resolved.",
  contains_fixed_charge: "True if the charge contains a fixed charge; otherwise absent.",
  contains_floating_charge: "True if the charge contains a floating charge; otherwise absent.",
  floating_charge_covers_all:
    "True if the floating charge covers everything that the company owns; otherwise absent.",
  contains_negative_pledge: "True if the company may not charge the property again; otherwise absent.",
  chargor_acting_as_bare_trustee:
    "True if the company holds the property for someone else; otherwise absent.",
  has_alterations_to_order: "Whether the order of ranking was altered.",
  has_alterations_to_prohibitions: "Whether prohibitions were altered.",
  has_restricting_provisions: "Whether there are provisions that restrict further charges.",
  persons_entitled: "Persons and bodies that are entitled to the charge.",
  more_than_four_persons_entitled: "Whether more than four persons are entitled; only four are named.",
  transactions: "Filings about the charge.",
  insolvency_cases: "Insolvency cases that concern the charge.",
  insolvency_case_number: "Number of the insolvency case that the filing concerns.",

  cases: "The insolvency cases of the company.",
  case_number: "Number of the case.",
  dates: "Important dates in the case.",
  notes: "Notes on the case.",
  practitioners: "Practitioners who act, or acted, in the case.",
  ceased_to_act_on: "Day on which the practitioner ceased to act.",
};
