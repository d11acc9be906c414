/** Disqualified officers in lines of the API's JSON: ids and order, last variations, addresses, a member of bodies. */
import { describe, expect, it } from "@jest/globals";
import type { DisqualifiedOfficer } from "../../../api/resources/disqualified-officer/members.ts";
import { linesOfStream, mapTexts, recordsOf } from "../../support/api-json-lines.ts";

/** The line of a disqualified person with one disqualification, which has this variation. */
function disqualifiedLine(last_variation: unknown): string {
  const disqualification = {
    address: {},
    disqualification_type: "court-order",
    disqualified_from: "2020-01-01",
    disqualified_until: "2030-01-01",
    last_variation,
    reason: {
      description_identifier: "participation-in-wrongful-trading",
      act: "company-directors-disqualification-act-1986",
      section: "10",
    },
  };
  return JSON.stringify({
    resource_kind: "disqualified-officer-natural",
    resource_uri: `/disqualified-officers/natural/${"g".repeat(27)}`,
    resource_id: "g".repeat(27),
    data: { kind: "natural-disqualification", surname: "ROE", disqualifications: [disqualification] },
  });
}

describe("disqualified officers", () => {
  it("keep the ids that the API gives, latest disqualification first", () => {
    const officers = recordsOf<DisqualifiedOfficer>(mapTexts(linesOfStream("disqualified-officers")));
    const several = officers.find(({ disqualifications }) => disqualifications.length > 1);
    expect(several?.officer_id).toBe("0rD2Z6U_8wQf9-r7oqVqlFVRldI");
    expect(several?.disqualifications.map(({ disqualified_from }) => disqualified_from)).toEqual([
      "2022-09-01",
      "2018-01-02",
    ]);
  });
});

describe("the last variation of a disqualification", () => {
  const OLD = { varied_on: "2021-01-01", case_identifier: "X1", court_name: "Leeds" };
  const NEW = { ...OLD, varied_on: "2022-01-01" };

  it.each([
    ["an object, as in live answers", NEW, NEW],
    ["a list, as in the published schema", [NEW], NEW],
    ["the latest of a longer list", [OLD, NEW], NEW],
    ["absent when the list is empty", [], undefined],
  ])("is read as %s", (_what, given, stored) => {
    const [officer] = recordsOf<DisqualifiedOfficer>(mapTexts([disqualifiedLine(given)]));
    expect(officer?.disqualifications[0]?.last_variation).toEqual(stored);
  });

  it("is refused by the schema if it has no day", () => {
    const [outcome] = mapTexts([disqualifiedLine([{ court_name: "Leeds" }])]);
    if (outcome?.kind !== "record") throw new Error("not mapped");
    expect(outcome.record.check(outcome.data)).toMatchObject({
      field: "disqualifications.0.last_variation",
      reason: "must have the member varied_on",
    });
  });
});

it("the address of a disqualification is cleaned as all addresses are", () => {
  const line = disqualifiedLine(undefined).replace(
    '"address":{}',
    '"company_names":[],"address":{"premises":2,"region":"","locality":"LEEDS,","postal_code":"ls14zz"}',
  );
  const [officer] = recordsOf<DisqualifiedOfficer>(mapTexts([line]));
  expect(officer?.disqualifications[0]).not.toHaveProperty("company_names");
  expect(officer?.disqualifications[0]?.address).toEqual({
    premises: "2",
    locality: "LEEDS",
    postal_code: "LS1 4ZZ",
  });
});

it.each([
  ["null", '"address":null,'],
  ["absent", ""],
])("a disqualification has an empty address if it is %s in the line", (_what, given) => {
  const line = disqualifiedLine(undefined).replace('"address":{},', given);
  const [officer] = recordsOf<DisqualifiedOfficer>(mapTexts([line]));
  expect(officer?.disqualifications[0]?.address).toEqual({});
});

it("a disqualified person loses a member that only bodies have, with a warning", () => {
  const line = disqualifiedLine({ varied_on: "2022-01-01" }).replace(
    '"surname"',
    '"country_of_registration":"France","surname"',
  );
  const [officer] = mapTexts([line]);
  expect(officer).toHaveProperty("warnings", [
    "country_of_registration: is not a member of this kind, ignored",
  ]);
  expect(recordsOf(officer ? [officer] : [])).toEqual(
    recordsOf(mapTexts([disqualifiedLine({ varied_on: "2022-01-01" })])),
  );
});
