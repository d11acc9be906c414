import { describe, expect, it } from "@jest/globals";
import { apiJsonLines } from "../../../ingest/sources/api-json-lines.ts";
import type { Members } from "../../../api/shared/values/members.ts";
import { readSamples } from "../../support/incoming-samples.ts";

/** Loads the first line of a sample with some members changed; returns what is stored and the warnings, or why it is refused. */
function load(file: string, change: (data: Members) => Members) {
  const [resource] = readSamples(file);
  if (!resource) throw new Error(`no sample in ${file}`);
  const { kind: resource_kind, uri: resource_uri, id: resource_id, data } = resource;
  const text = JSON.stringify({ resource_kind, resource_uri, resource_id, data: change(data) });
  const [outcome] = apiJsonLines.mapRows([{ line: 1, text }], {});
  if (outcome?.kind !== "record") return { refusal: outcome };
  return {
    data: outcome.data,
    warnings: outcome.warnings ?? [],
    refusal: outcome.record.check(outcome.data),
  };
}

const CHARGES = "streams/charges.ndjson";
const FILINGS = "streams/filings.ndjson";
const INSOLVENCY = "streams/insolvency-cases.ndjson";
const EXEMPTIONS = "streams/company-exemptions.ndjson";
const DISQUALIFIED = "streams/disqualified-officers.ndjson";

const practitioner = {
  name: "A Sample",
  address: { address_line_1: "1 Sample Street" },
  role: "practitioner",
};
const insolvencyCase = {
  type: "members-voluntary-liquidation",
  dates: [{ type: "wound-up-on", date: "2020-01-01" }],
};

/** Changes each disqualification of a disqualified officer. */
const disqualifications = (change: Members) => (data: Members) => ({
  ...data,
  disqualifications: (data.disqualifications as Members[]).map((item) => ({ ...item, ...change })),
});

describe("an impossible day of an optional member", () => {
  it.each<[string, string, (data: Members) => Members, path: string]>([
    [
      "a charge",
      CHARGES,
      (data) => ({ ...data, covering_instrument_date: "2016-02-30" }),
      "covering_instrument_date",
    ],
    [
      "a filing of a charge",
      CHARGES,
      (data) => ({
        ...data,
        delivered_on: undefined,
        transactions: [{ filing_type: "create-charge-with-deed", delivered_on: "2016-13-01" }],
      }),
      "transactions.delivered_on",
    ],
    [
      "a filing",
      FILINGS,
      (data) => ({ ...data, description_values: { made_up_date: "2016-02-30" } }),
      "description_values.made_up_date",
    ],
    [
      "an insolvency",
      INSOLVENCY,
      (data) => ({
        ...data,
        cases: [{ ...insolvencyCase, practitioners: [{ ...practitioner, appointed_on: "the first" }] }],
      }),
      "cases.practitioners.appointed_on",
    ],
    [
      "a disqualified officer",
      DISQUALIFIED,
      (data) => ({ ...data, date_of_birth: "1961-02-30" }),
      "date_of_birth",
    ],
    [
      "a disqualification",
      DISQUALIFIED,
      disqualifications({ heard_on: "2016-02-30" }),
      "disqualifications.heard_on",
    ],
    ["a charge if its year is 0", CHARGES, (data) => ({ ...data, acquired_on: "0000-01-01" }), "acquired_on"],
  ])("is left out with a warning, of %s", (_of, file, change, path) => {
    const { refusal, warnings, data } = load(file, change);
    expect(refusal).toBeNull();
    expect(warnings).toContain(`${path} left out: not a valid date`);
    expect(JSON.stringify(data)).not.toContain(`"${path.split(".").at(-1)}"`);
  });

  it("is left out with a warning if it is too far in the future", () => {
    const { refusal, warnings, data } = load(CHARGES, (given) => ({ ...given, created_on: "2999-01-01" }));
    expect(refusal).toBeNull();
    expect(warnings).toEqual(["created_on left out: too far in the future"]);
    expect(data).not.toHaveProperty("created_on");
  });
});

describe("a day in another form", () => {
  it("is read in an optional member", () => {
    const { refusal, warnings, data } = load(CHARGES, (given) => ({ ...given, created_on: "20160203" }));
    expect({ refusal, warnings }).toEqual({ refusal: null, warnings: [] });
    expect(data).toHaveProperty("created_on", "2016-02-03");
  });

  it("is read in a required member", () => {
    const filing = load(FILINGS, (given) => ({ ...given, date: "20160203", action_date: "03/02/2016" }));
    expect(filing.refusal).toBeNull();
    expect(filing.data).toMatchObject({ date: "2016-02-03", action_date: "2016-02-03" });
    const practitioners = [{ ...practitioner, ceased_to_act_on: "20160203" }];
    const insolvency = load(INSOLVENCY, (given) => ({
      ...given,
      cases: [{ ...insolvencyCase, practitioners }],
    }));
    expect(insolvency.refusal).toBeNull();
    expect(insolvency.data).toHaveProperty("cases.0.practitioners.0.ceased_to_act_on", "2016-02-03");
  });
});

describe("a row", () => {
  it.each<[string, string, (data: Members) => Members]>([
    [
      "on which an exemption ended, which would be shown as lasting",
      EXEMPTIONS,
      () => ({
        exemptions: {
          psc_exempt_as_trading_on_regulated_market: {
            exemption_type: "psc-exempt-as-trading-on-regulated-market",
            items: [{ exempt_from: "2016-01-01", exempt_to: "2016-02-30" }],
          },
        },
      }),
    ],
    [
      "on which a practitioner ceased to act",
      INSOLVENCY,
      (data) => ({
        ...data,
        cases: [{ ...insolvencyCase, practitioners: [{ ...practitioner, ceased_to_act_on: "2016-02-30" }] }],
      }),
    ],
    [
      "on which a disqualification ends",
      DISQUALIFIED,
      disqualifications({ disqualified_until: "2016-02-30" }),
    ],
  ])("is refused for an impossible day %s", (_why, file, change) => {
    expect(load(file, change).refusal).toHaveProperty("reason", "must be a day such as 2026-11-01");
  });

  it.each<[string, string, (data: Members) => Members, field: string]>([
    ["of a filing", FILINGS, (data) => ({ ...data, date: "9999-12-31" }), "date"],
    [
      "on which a disqualification begins",
      DISQUALIFIED,
      disqualifications({ disqualified_from: "31/12/9999" }),
      "disqualifications.disqualified_from",
    ],
  ])("is refused for a day far in the future %s", (_why, file, change, field) => {
    expect(load(file, change).refusal).toMatchObject({
      field,
      reason: "is too far in the future: 9999-12-31",
    });
  });

  it("may have a disqualification without an end, which is far in the future", () => {
    const change = disqualifications({ disqualified_until: "9999-12-31" });
    const { refusal, data } = load(DISQUALIFIED, change);
    expect(refusal).toBeNull();
    expect(data).toHaveProperty("disqualifications.0.disqualified_until", "9999-12-31");
  });
});
