/** Owns the descriptions of a company's members: its profile, registers, establishments and exemptions. */

/** Descriptions by member. */
export const companyWords: Readonly<Record<string, string>> = {
  company_name: "Name of the company.",
  company_number: "Number of the company, eight characters.",
  company_status: "Whether the company is active, or how it ended.",
  date_of_creation: "Day on which the company was incorporated or registered.",
  date_of_cessation: "Day on which the company was dissolved, closed or converted; its status says which.",
  registered_office_address: "Address at which the company is registered.",
  service_address: "Address at which an overseas entity receives documents.",
  external_registration_number: "Number under which another body has registered the company.",
  sic_codes:
    "SIC codes of the company's business: five digits (SIC 2007), or four (SIC 2003) in old records.",
  previous_company_names: "Names that the company had before, newest first.",
  effective_from: "First day of the name.",
  corporate_annotation: "Notes of the registrar on the company's record.",

  accounting_reference_date: "Day of the year on which the accounting period ends.",
  period_start_on: "First day of the accounting period.",
  period_end_on: "Last day of the accounting period.",
  due_on: "Day by which the accounts are due.",
  last_made_up_to: "Day to which the last statement, return or list was made up.",
  next_due: "Day by which the next one is due.",
  next_made_up_to: "Day to which the next one will be made up.",
  last_full_members_list_date: "Day of the last full list of members.",

  can_file: "Whether the company can file documents online.",
  has_been_liquidated: "Whether the company has been in liquidation.",
  has_super_secure_pscs:
    "Whether the company has persons with significant control whose details are protected.",
  registered_office_is_in_dispute: "Whether the company's right to its registered office is disputed.",
  undeliverable_registered_office_address: "Whether post to the registered office came back.",
  is_on_register_in_country_formed_in: "Whether an overseas entity is on a register of its home country.",
  term: "Time for which a limited partnership was formed.",

  parent_company_name: "Name of the overseas company.",
  parent_company_number: "Number of the overseas company on this register.",
  business_activity: "What the company does, in its own words.",
  accounting_requirement: "Which accounts the company has to publish.",
  account_period_from: "First day of the accounting period under the law of the home country.",
  account_period_to: "Last day of the accounting period under the law of the home country.",
  must_file_within: "Time that the company has for filing its accounts.",
  months: "Months after the end of the accounting period.",
  governed_by: "Law under which the company was formed.",
  is_a_credit_finance_institution: "Whether the company is a credit or financial institution.",
  originating_registry: "Registry of the company in its home country.",

  registers: "The registers of the company.",
  register_type: "Which of the company's registers it is.",
  moved_on: "Day on which the register moved.",
  register_moved_to: "Where the register is kept from that day on.",

  exemptions: "The exemptions of the company, current and former.",
  exemption_type: "Which exemption it is.",
  exempt_from: "First day of the exemption.",
  exempt_to: "Last day of the exemption; absent while it is in force.",
};
