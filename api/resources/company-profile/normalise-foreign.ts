/** Owns the raw members about a foreign company's country of origin, and a UK establishment's parent. */
import { parseCompanyNumber } from "../../core/company-number.ts";
import { enumerationKeys } from "../../core/enumerations.ts";
import { normaliseDayOfYear } from "./normalise-accounts.ts";
import { compact, membersOf, type RawReader } from "./raw-values.ts";
import type { CompanyProfile } from "./members.ts";

const ACCOUNT_TYPES: ReadonlySet<string> = new Set(enumerationKeys("foreign_account_type"));
const PUBLICATION_TERMS: ReadonlySet<string> = new Set(enumerationKeys("terms_of_account_publication"));
const FIELD = "foreign_company_details";

/** Details of a foreign company; the spellings of live payloads (`legal_form`, …) are read as well. */
export function normaliseForeignCompany(
  value: unknown,
  reader: RawReader,
): CompanyProfile["foreign_company_details"] {
  if (!value) return undefined;
  const raw = membersOf(value);
  const registry = membersOf(raw.originating_registry);
  const isCreditInstitution = raw.is_a_credit_finance_institution ?? raw.is_a_credit_financial_institution;
  return compact({
    accounting_requirement: normaliseRequirement(raw.accounting_requirement, reader),
    accounts: normaliseForeignAccounts(raw.accounts, reader),
    business_activity: reader.text(raw.business_activity),
    company_type: reader.text(raw.company_type ?? raw.legal_form),
    governed_by: reader.text(raw.governed_by),
    is_a_credit_finance_institution: reader.flag(
      isCreditInstitution,
      `${FIELD}.is_a_credit_finance_institution`,
    ),
    originating_registry: compact({
      country: reader.text(registry.country),
      name: reader.text(registry.name),
    }),
    registration_number: reader.text(raw.registration_number),
  });
}

/** Parent and business of a UK establishment. */
export function normaliseBranch(value: unknown, reader: RawReader): CompanyProfile["branch_company_details"] {
  if (!value) return undefined;
  const raw = membersOf(value);
  return compact({
    business_activity: reader.text(raw.business_activity),
    parent_company_name: reader.text(raw.parent_company_name),
    parent_company_number: normaliseParentNumber(raw.parent_company_number, reader),
  });
}

function normaliseRequirement(value: unknown, reader: RawReader) {
  const raw = membersOf(value);
  const field = `${FIELD}.accounting_requirement`;
  return compact({
    foreign_account_type: reader.choice(
      raw.foreign_account_type,
      ACCOUNT_TYPES,
      `${field}.foreign_account_type`,
    ),
    terms_of_account_publication: reader.choice(
      raw.terms_of_account_publication,
      PUBLICATION_TERMS,
      `${field}.terms_of_account_publication`,
    ),
  });
}

function normaliseForeignAccounts(value: unknown, reader: RawReader) {
  const raw = membersOf(value);
  const field = `${FIELD}.accounts`;
  const { months: given } = membersOf(raw.must_file_within);
  const months = reader.whole(given, { from: 0, to: 999 }, `${field}.must_file_within.months`);
  return compact({
    account_period_from: normaliseDayOfYear(raw.account_period_from, reader, `${field}.account_period_from`),
    account_period_to: normaliseDayOfYear(raw.account_period_to, reader, `${field}.account_period_to`),
    must_file_within: months === undefined ? undefined : { months },
  });
}

function normaliseParentNumber(value: unknown, reader: RawReader): string | undefined {
  const text = reader.text(value);
  if (text === undefined) return undefined;
  const field = "branch_company_details.parent_company_number";
  return parseCompanyNumber(text) ?? reader.drop(field, "not a company number");
}
