/** Search documents that stored records become; each must fit its strict mapping. */
import { describe, expect, test } from "@jest/globals";
import { findIndex, indices } from "../../../index-mappings/index.ts";
import { textsOf } from "../../../index-mappings/words/index.ts";
import { aCompany, aDisqualifiedOfficer, anAppointment, anOfficer } from "../../support/search-records.ts";

const OFFICER = { officer_id: "o".repeat(27), forename: "Odile", surname: "TARN" };

describe("a company", () => {
  const document = findIndex("companies").document([
    aCompany({
      company_name: "The H.W. Tarn & Sons Limited",
      company_number: "SC000017",
      company_status: "liquidation",
      sic_codes: ["61900"],
      date_of_creation: "2005-12-21",
      registered_office_address: {
        premises: "1",
        address_line_1: "O'Quill Lane",
        locality: "Tarnby",
        postal_code: "ls1 1zz",
      },
      previous_company_names: [{ name: "QUILLORY PLC", ceased_on: "2010-01-01" }],
    }),
  ]);

  test("has keys, words and ranks", () => {
    expect(document).toMatchObject({
      kind: "company",
      id: "SC000017",
      status: "liquidation",
      status_rank: 1,
      words: 4,
      order_key: "HWTARNANDSONS",
      order_key_id: "HWTARNANDSONS:SC000017",
      same_as: "HWTARNANDSON",
      squeezed: "theh.w.tarn&sonslimited",
      name_words: "THE H W TARN AND SONS LIMITED HW LTD",
      address: "1 OQUILL LANE TARNBY LS1 1ZZ",
      postcode: "LS11ZZ",
    });
  });

  test("has only fields of the mapping", () => {
    const { mappings } = findIndex("companies");
    for (const field of Object.keys(document ?? {})) expect(mappings).toHaveProperty(["properties", field]);
  });

  test("is found by misspelt words of its names and its address", () => {
    expect(textsOf(document ?? {})).toEqual(["HW TARN AND SONS", "QUILLORY", "1 OQUILL LANE TARNBY LS1 1ZZ"]);
  });

  test("has an entry for the current and for each previous name", () => {
    expect(document?.names).toEqual([
      {
        name: "The H.W. Tarn & Sons Limited",
        current: true,
        key: "HWTARNANDSONS",
        end: "LTD",
        starts: ["HW", "HW TARN", "HW TARN AND", "HW TARN AND SONS"],
        text: "HW TARN AND SONS",
      },
      {
        name: "QUILLORY PLC",
        current: false,
        ceased: "2010-01-01",
        key: "QUILLORY",
        end: "PLC",
        starts: ["QUILLORY"],
        text: "QUILLORY",
      },
    ]);
  });
});

describe("an officer", () => {
  const build = findIndex("officers").document;
  const serving = anAppointment(OFFICER, 0);
  const later = anAppointment({ ...OFFICER, surname: "TARN-VANE", former_names: [{ surname: "TARN" }] }, 5);
  const resigned = anAppointment({ ...OFFICER, forename: "ODILE" }, 9, { resigned_on: "2020-01-01" });
  const ended = anAppointment(OFFICER, 3, { company_status: "dissolved" });

  test("is one document for all appointments, with the name of the latest active one", () => {
    expect(build([serving, later, resigned, ended])).toMatchObject({
      kind: "officer",
      id: OFFICER.officer_id,
      status_rank: 0,
      posts: 2,
      order_key: "TARNVANE ODILE",
      shown: {
        title: "Odile TARN-VANE",
        appointment_count: 4,
        other_names: ["Odile TARN"],
        former_names: [],
      },
    });
  });

  test("is the same whatever the order of the records", () => {
    const records = [serving, later, resigned, ended];
    const orders = [records, records.toReversed(), [later, ended, serving, resigned]];
    expect(new Set(orders.map((order) => JSON.stringify(build(order)))).size).toBe(1);
  });

  test("has the month of birth, and each address, postcode and company once", () => {
    const leeds = { address_line_1: "1 Quill Lane", locality: "Leeds", postal_code: "LS1 1ZZ" };
    const york = { address_line_1: "2 Tarn Row", locality: "York" };
    const born = { ...OFFICER, date_of_birth: { month: 5, year: 1962 } };
    const appointments = [
      anAppointment(OFFICER, 0, { address: leeds }),
      anAppointment(born, 0, { address: york }),
      anAppointment(OFFICER, 2, { address: leeds }),
    ];
    expect(build(appointments)).toMatchObject({
      born: "1962-05",
      address: ["1 QUILL LANE LEEDS LS1 1ZZ", "2 TARN ROW YORK"],
      postcode: ["LS11ZZ"],
      companies: ["99000002", "99000000"],
    });
  });

  test("without date of birth and address has no such fields", () => {
    expect(JSON.parse(JSON.stringify(build([serving])))).not.toHaveProperty("born");
    expect(build([serving])).not.toHaveProperty("address");
    expect(build([serving])).not.toHaveProperty("postcode");
  });

  test("is found by misspelt words of the name, also of a surname that is joined", () => {
    const officer = build([anAppointment({ ...OFFICER, surname: "VAN TARN" }, 0)]) ?? {};
    expect(textsOf(officer)).toEqual(["ODILE VAN TARN VANTARN"]);
  });

  test("without an active appointment is ranked after those with one", () => {
    expect(build([resigned])).toMatchObject({ status_rank: 1, posts: 0 });
  });

  test("that is a corporate body has the forms of a company's name", () => {
    const body = anOfficer({ officer_id: OFFICER.officer_id, corporate_name: "TARN NOMINEES LTD" });
    const [entry] = (build(body)?.names ?? []) as Record<string, unknown>[];
    expect(entry).toMatchObject({ key: "TARNNOMINEES", end: "LTD", starts: ["TARN", "TARN NOMINEES"] });
  });

  test("shows Sir, Lord, Dr and Doctor before the name, and no other title", () => {
    const titleOf = (title: string) =>
      (build([anAppointment({ ...OFFICER, title })])?.shown as { title: string } | undefined)?.title;
    expect(["SIR", "Lord", "Dr.", "DOCTOR", "Mrs", "Professor"].map(titleOf)).toEqual([
      "Sir Odile TARN",
      "Lord Odile TARN",
      "Dr Odile TARN",
      "Doctor Odile TARN",
      "Odile TARN",
      "Odile TARN",
    ]);
  });
});

test("the document of a disqualified officer has the last day of all disqualifications", () => {
  const record = aDisqualifiedOfficer({ ...OFFICER, disqualified_until: "2019-05-01" });
  const [first] = record.data.disqualifications;
  if (first) record.data.disqualifications.push({ ...first, disqualified_until: "2031-02-03" });
  expect(findIndex("disqualified-officers").document([record])).toMatchObject({
    kind: "disqualified-officer",
    disqualified_until: "2031-02-03",
    order_key: "TARN ODILE",
    names: [{ surname: "TARN", first: ["ODILE"], full: ["ODILETARN", "TARNODILE"] }],
  });
});

test("the document of a disqualified officer has the month of birth and the addresses of all disqualifications", () => {
  const record = aDisqualifiedOfficer(OFFICER);
  record.data.date_of_birth = "1962-05-17";
  const [first] = record.data.disqualifications;
  const address = { address_line_1: "2 Tarn Row", postal_code: "LS1 1ZZ" };
  if (first) record.data.disqualifications.push({ ...first, address });
  expect(findIndex("disqualified-officers").document([record])).toMatchObject({
    born: "1962-05",
    address: ["1 INVENTED ROW TARNWICK", "2 TARN ROW LS1 1ZZ"],
    postcode: ["LS11ZZ"],
  });
});

test("there is no document without records", () => {
  expect(indices.map(({ document }) => document([]))).toEqual(indices.map(() => null));
});

test("every index is strict and records the version of the name rules", () => {
  for (const { mappings } of indices) {
    expect(mappings).toMatchObject({ dynamic: "strict", _meta: { names_version: expect.any(Number) } });
  }
});
