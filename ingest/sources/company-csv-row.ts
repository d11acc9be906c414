/** Owns one row of the company CSV: its fields, found by column name, to the raw company. */
import { companyPrefix, parseCompanyNumber } from "../../api/core/company-number.ts";
import type { RawCompany } from "../../api/resources/company-profile/normalise.ts";
import { accountTypeOf, companyStandingOf, companyTypeOf, type CategoryType } from "./company-csv-tables.ts";

/** The columns that are read, by the names of the header without their leading spaces. */
const COLUMNS = {
  name: "CompanyName",
  number: "CompanyNumber",
  careOf: "RegAddress.CareOf",
  poBox: "RegAddress.POBox",
  line1: "RegAddress.AddressLine1",
  line2: "RegAddress.AddressLine2",
  town: "RegAddress.PostTown",
  county: "RegAddress.County",
  country: "RegAddress.Country",
  postcode: "RegAddress.PostCode",
  category: "CompanyCategory",
  status: "CompanyStatus",
  origin: "CountryOfOrigin",
  dissolvedOn: "DissolutionDate",
  incorporatedOn: "IncorporationDate",
  referenceDay: "Accounts.AccountRefDay",
  referenceMonth: "Accounts.AccountRefMonth",
  accountsDueOn: "Accounts.NextDueDate",
  accountsMadeUpTo: "Accounts.LastMadeUpDate",
  accountCategory: "Accounts.AccountCategory",
  returnDueOn: "Returns.NextDueDate",
  returnMadeUpTo: "Returns.LastMadeUpDate",
  charges: "Mortgages.NumMortCharges",
  statementDueOn: "ConfStmtNextDueDate",
  statementMadeUpTo: "ConfStmtLastMadeUpDate",
} as const;

type ColumnKey = keyof typeof COLUMNS;

/** Former names that a row has room for; the newest stand there. */
export const NAMES_IN_A_ROW = 10;

const SIC_COLUMNS = [1, 2, 3, 4].map((n) => `SICCode.SicText_${n}`);
const PREVIOUS_NAMES = Array.from({ length: NAMES_IN_A_ROW }, (_, at) => ({
  name: `PreviousName_${at + 1}.CompanyName`,
  ceasedOn: `PreviousName_${at + 1}.CONDATE`,
}));
// Columns of the format that are not read (bulk formats 1.2).
const PASSED_OVER = [
  "Mortgages.NumMortOutstanding",
  "Mortgages.NumMortPartSatisfied",
  "Mortgages.NumMortSatisfied",
  "LimitedPartnerships.NumGenPartners",
  "LimitedPartnerships.NumLimPartners",
  "URI",
];
const KNOWN_COLUMNS: ReadonlySet<string> = new Set([
  ...Object.values(COLUMNS),
  ...SIC_COLUMNS,
  ...PREVIOUS_NAMES.flatMap(({ name, ceasedOn }) => [name, ceasedOn]),
  ...PASSED_OVER,
]);
// Companies of other countries: no confirmation statements, and a country of origin worth telling.
const OVERSEA_PREFIXES: ReadonlySet<string> = new Set(["FC", "SF", "NF"]);
const FOREIGN_PREFIXES: ReadonlySet<string> = new Set([...OVERSEA_PREFIXES, "OE"]);

/** Where each column stands; -1 for one that the file lacks. */
export interface Layout {
  /** True when the file has all columns of the address: a part that a row leaves out is then left out of the address. */
  isAddressWhole: boolean;
  /** A sentence for each column that the format does not know. */
  warnings: string[];
  at: Record<ColumnKey, number>;
  sic: number[];
  previousNames: { name: number; ceasedOn: number }[];
}

/** Looks the columns up in the header. */
export function layoutOf(header: string[]): Layout {
  const at = Object.fromEntries(
    Object.entries(COLUMNS).map(([key, name]) => [key, header.indexOf(name)]),
  ) as Layout["at"];
  const isAddress = (name: string) => name.startsWith("RegAddress.");
  const unknown = header.filter((name) => !KNOWN_COLUMNS.has(name));
  return {
    isAddressWhole: Object.values(COLUMNS).every((name) => !isAddress(name) || header.includes(name)),
    warnings: unknown.map((name) => `column "${name.slice(0, 50)}" is new, left out`),
    at,
    sic: SIC_COLUMNS.map((name) => header.indexOf(name)),
    previousNames: PREVIOUS_NAMES.map(({ name, ceasedOn }) => ({
      name: header.indexOf(name),
      ceasedOn: header.indexOf(ceasedOn),
    })),
  };
}

/** What a row says. */
export interface ReadCompany {
  raw: RawCompany;
  /** Types of which the company may be, any where the category is not known; absent: the type is no guess. */
  oneOf: ReadonlySet<string> | "any" | undefined;
}

/** Fields to the raw company. What the tables do not know is noted in `warnings`. */
export function readCompany(fields: string[], layout: Layout, warnings: string[]): ReadCompany {
  const row = new Row(fields, layout, warnings);
  const number = row.text("number");
  const prefix = companyPrefix(parseCompanyNumber(number) ?? "");
  const { type, subtype, oneOf } = row.typeOf(prefix);
  // One literal: put together from two objects, it makes the mapping of a row twice as slow (36 µs against 16).
  const raw: RawCompany = {
    company_name: row.text("name"),
    company_number: number,
    type,
    subtype,
    ...row.standing(prefix),
    date_of_cessation: row.text("dissolvedOn"),
    date_of_creation: row.text("incorporatedOn"),
    registered_office_address: row.address(),
    accounts: row.accounts(),
    confirmation_statement: OVERSEA_PREFIXES.has(prefix) ? undefined : row.statement(),
    annual_return: row.annualReturn(),
    last_full_members_list_date: row.text("returnMadeUpTo"),
    has_charges: row.hasCharges(),
    sic_codes: row.sicCodes(),
    foreign_company_details: FOREIGN_PREFIXES.has(prefix) ? row.foreignDetails() : undefined,
    previous_company_names: row.previousNames(),
  };
  return { raw, oneOf };
}

/** The fields of one row, asked for by the name of their column. */
class Row {
  constructor(
    private readonly fields: string[],
    private readonly layout: Layout,
    private readonly warnings: string[],
  ) {}

  text(key: ColumnKey): string {
    return this.at(this.layout.at[key]);
  }

  typeOf(prefix: string): Omit<CategoryType, "oneOf"> & Pick<ReadCompany, "oneOf"> {
    const category = this.text("category");
    const known = companyTypeOf(category, { prefix, name: this.text("name") });
    if (known) return { oneOf: undefined, ...known };
    this.warnings.push(
      `type is other unless another is held: category "${category.slice(0, 50)}" is unknown`,
    );
    return { type: "other", oneOf: "any" };
  }

  standing(prefix: string) {
    const text = this.text("status");
    if (text.trim() === "") return undefined;
    const standing = companyStandingOf(text, prefix);
    if (standing === null) {
      this.warnings.push(`company_status left out: status "${text.slice(0, 50)}" is unknown`);
    }
    return standing;
  }

  address() {
    return {
      care_of: this.text("careOf"),
      po_box: this.text("poBox"),
      address_line_1: this.text("line1"),
      address_line_2: this.text("line2"),
      locality: this.text("town"),
      region: this.text("county"),
      country: this.text("country"),
      postal_code: this.text("postcode"),
    };
  }

  accounts() {
    return {
      accounting_reference_date: { day: this.text("referenceDay"), month: this.text("referenceMonth") },
      last_accounts: { period_end_on: this.text("accountsMadeUpTo"), type: this.accountType() },
      next_accounts: { due_on: this.text("accountsDueOn") },
    };
  }

  statement() {
    return { next_due: this.text("statementDueOn"), last_made_up_to: this.text("statementMadeUpTo") };
  }

  /** Told only while no confirmation statement has been filed (specification 2.1). */
  annualReturn() {
    if (this.text("statementMadeUpTo") !== "") return undefined;
    return { next_due: this.text("returnDueOn"), last_made_up_to: this.text("returnMadeUpTo") };
  }

  hasCharges(): boolean | undefined {
    const count = this.text("charges").trim();
    if (count === "") return undefined;
    if (/^\d+$/.test(count)) return Number(count) > 0;
    this.warnings.push("has_charges left out: the count of mortgages is no number");
    return undefined;
  }

  sicCodes(): string[] {
    const codes: string[] = [];
    for (const position of this.layout.sic) {
      const text = this.at(position);
      if (text === "" || /^none supplied$/i.test(text)) continue;
      const dash = text.indexOf(" - ");
      codes.push(dash === -1 ? text : text.slice(0, dash));
    }
    return codes;
  }

  foreignDetails() {
    const country = this.text("origin");
    if (/^united kingdom$/i.test(country)) return undefined;
    return { originating_registry: { country } };
  }

  previousNames() {
    const names = [];
    for (const { name, ceasedOn } of this.layout.previousNames) {
      if (this.at(name) !== "") names.push({ name: this.at(name), ceased_on: this.at(ceasedOn) });
    }
    return names;
  }

  private accountType(): string | null {
    const category = this.text("accountCategory");
    if (category.trim() === "") return null;
    const type = accountTypeOf(category);
    if (type !== undefined) return type;
    const field = "accounts.last_accounts.type";
    this.warnings.push(`${field} left out: account category "${category.slice(0, 50)}" is unknown`);
    return null;
  }

  private at(position: number): string {
    return this.fields[position] ?? "";
  }
}
