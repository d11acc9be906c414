import { describe, expect, it } from "@jest/globals";
import type { MatchQuestion } from "../../../api/matching/define-match.ts";
import { compareFacts, readFacts } from "../../../api/matching/facts.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";

const CANDIDATE = {
  numbers: ["00912345"],
  postcodes: ["LS11ZZ", "YO17AB"],
  addresses: [["1", "INVENTED", "ROW", "KINGS", "LYNN", "LS1", "1ZZ"]],
  status: "active",
  born: "1962-05",
};

/** How the facts of a question compare with the candidate's. */
function compare(question: Partial<MatchQuestion>) {
  const { facts } = readFacts({ type: "company", name: "Quillory Ltd", ...question });
  const found = compareFacts(facts, CANDIDATE);
  return Object.fromEntries(Object.entries(found).map(([fact, { agreement }]) => [fact, agreement]));
}

describe("the town of a question", () => {
  it.each<[town: string, address: string, agreement: string | undefined]>([
    ["Stratford-on-Avon", "7 Rother St, Stratford-Upon-Avon", "agrees"],
    ["Burton upon Trent", "1 Brewery, Burton-On-Trent", "agrees"],
    ["Stratford", "1 Avon Road, Leeds", "differs"],
    ["Durham City", "1 Saddler St, Durham", "agrees"],
    ["Leeds City", "1 High Street, Leeds", "agrees"],
    ["York City", "2 Low Road, York", "agrees"],
    ["Leeds Town", "1 High Street, Leeds", "agrees"],
    ["Old Town", "1 Old Road, Leeds", "differs"],
    ["Welwyn Garden City", "1 Garden Road, Welwyn", "differs"],
    ["Kent Town", "10 Kent Street, Durham", "differs"],
    ["West Yorkshire - Leeds", "1 High Street, Leeds", "agrees"],
    ["West Yorkshire Leeds", "1 High Street, Leeds", "agrees"],
    ["Leeds West Yorkshire LS1 1ZZ", "1 High Street, Leeds, LS1 1ZZ", "agrees"],
    ["West Yorkshire - Otley", "1 Boroughgate, Otley", "agrees"],
    ["Otley, W Yorks", "1 Boroughgate, Otley", "agrees"],
    ["Hessle, East Riding of Yorkshire", "1 Square, Hessle", "agrees"],
    ["Lancs", "1 High Street, Preston", undefined],
    ["Herts", "1 High Street, Ware", undefined],
    ["East Lothian", "1 High Street, Haddington", undefined],
    ["Kent Street", "1 High Street, Leeds", "differs"],
    ["West Yorkshire - York", "1 High Street, Leeds", "differs"],
    ["Leeds 1", "2 High Street, Leeds", "agrees"],
    ["Leeds/Bradford", "1 High Street, Leeds", "agrees"],
    ["Unit 1", "1 High Street, Leeds", "differs"],
    // A part of a town may be elsewhere: West Derby is in Liverpool.
    ["North Leeds", "1 High Street, Leeds", undefined],
    ["Central London", "1 High Street, London", undefined],
    ["West Derby", "1 High Street, Derby", undefined],
    ["North Leeds", "1 High Street, York", "differs"],
    ["North Leeds", "5 North Street, York", "differs"],
    ["North Leeds", "5 North View, York", "differs"],
    ["12A, Leeds", "12A View, York", "differs"],
    ["North Shields", "1 High Street, South Shields", "differs"],
    ["West Bromwich", "1 High Street, West Bromwich", "agrees"],
    // One town is not a slip of another town, or of a word of a street.
    ["Southampton", "1 High Street, Northampton", "differs"],
    ["Manchester", "1 High Street, Winchester", "differs"],
    ["Bolton", "1 High Street, Milton Keynes", "differs"],
    ["Hull", "3 Mill Hill, Leeds", "differs"],
    ["Mancester", "1 High Street, Manchester", "agrees"],
    // A street may have the name of another town.
    ["London", "12 London Road, Reading", "differs"],
    ["Otley", "12 Otley Rd, Leeds", "differs"],
    ["Leeds", "Leeds House, 1 High Street, York", "differs"],
    ["London", "London House, London", "agrees"],
    ["12 London Road, Reading", "12 London Road, Reading", "agrees"],
    ["London Road, Reading", "12 London Road, Reading", "agrees"],
    ..."ROAD RD STREET LANE AVENUE DRIVE WAY CLOSE COURT HOUSE SQUARE TERRACE PARK PLACE GROVE GARDENS"
      .split(" ")
      .map((street): [string, string, string] => ["London", `12 London ${street}, Guildford`, "differs"]),
    ["Worcester Park", "1 High Street, Worcester Park", "agrees"],
    // ST begins the name of a saint, here, and is no street.
    ["Leeds", "The Old Mill Leeds St Johns", "agrees"],
    // A misspelt town in the register neither agrees nor differs, if the address has no other town.
    ["Manchester", "1 High Street, Manchseter", undefined],
    ["Manchester", "Leeds House, 1 High Street, Manchseter, Lancashire", undefined],
    ["Manchester", "1 Manchseter Road, Leeds", "differs"],
    ["Manchester", "1 Manchseter Row, Leeds", "differs"],
    ["Hereford", "1 High Street, Hertford", "differs"],
    ["Manchester", "1 High Street, Gayton", "differs"],
  ])("%j compared with the address %j: %s", (town, address, agreement) => {
    const { facts } = readFacts({ type: "company", name: "Quillory Ltd", town });
    const candidate = { numbers: [], postcodes: [], addresses: [wordsOf(address)] };
    expect(compareFacts(facts, candidate).town?.agreement).toBe(agreement);
  });
});

describe("facts of a question", () => {
  it.each<[Partial<MatchQuestion>, Record<string, string>]>([
    [{ number: "912345" }, { number: "agrees" }],
    [{ number: "912345.0" }, { number: "agrees" }],
    [{ number: "912,345" }, { number: "agrees" }],
    [{ number: "No. 912345" }, { number: "agrees" }],
    [{ number: "CRN 00912345" }, { number: "agrees" }],
    [{ number: "00912345 (England)" }, { number: "agrees" }],
    [{ number: "OC 2001 (active)" }, { number: "differs" }],
    [{ name: "Quillory Ltd SC 1970" }, { number: "differs" }],
    [{ type: "officer", name: "Nomanby, SC 1962" }, { born: "agrees" }],
    [{ number: "00912345 / 00912346" }, {}],
    [{ number: "GB 00912345" }, { number: "agrees" }],
    [{ number: "GB00912345" }, { number: "agrees" }],
    [{ number: "GB-COH-00912345" }, { number: "agrees" }],
    [{ number: "Company Registration Number (CRN): 00912345" }, { number: "agrees" }],
    [{ number: "Reg'd in England & Wales, no. 912345" }, { number: "agrees" }],
    [{ number: "https://register.example.org.uk/company/00912345" }, { number: "agrees" }],
    [{ number: "CRN 12345" }, { number: "differs" }],
    [{ number: "#00912345" }, { number: "agrees" }],
    [{ number: "'00912345" }, { number: "agrees" }],
    [{ number: "SC912345" }, { number: "differs" }],
    [{ postcode: "ls1 1zz" }, { postcode: "agrees" }],
    [{ postcode: "LS1 1ZZ." }, { postcode: "agrees" }],
    [{ postcode: "LS1 1ZZ, UK" }, { postcode: "agrees" }],
    [{ postcode: "Leeds, West Yorkshire LS1 1ZZ" }, { postcode: "agrees" }],
    [{ postcode: "YO1 7AB" }, { postcode: "agrees" }],
    [{ postcode: "Leeds LS11 1ZZ" }, { postcode: "differs" }],
    [{ postcode: "LS1" }, { postcode: "agrees" }],
    [{ postcode: "LS11 1ZZ" }, { postcode: "differs" }],
    [{ town: "King's Lyn" }, { town: "agrees" }],
    [{ town: "Lynn" }, { town: "agrees" }],
    [{ town: "Lyn, United Kingdom" }, { town: "agrees" }],
    [{ town: "Leeds" }, { town: "differs" }],
    [{ town: "King's Lynn, West Norfolk" }, { town: "agrees" }],
    [{ town: "Lynn (West Norfolk)" }, { town: "agrees" }],
    [{ town: "Borough of King's Lynn" }, { town: "agrees" }],
    [{ town: "nr Lynn" }, { town: "agrees" }],
    [{ town: "of Lynn" }, { town: "agrees" }],
    [{ town: "Lynn West Yorkshire" }, { town: "agrees" }],
    [{ town: "1 Invented Row, Kings Lynn" }, { town: "agrees" }],
    // A village beside its post town, and a county, do not say that it is another place.
    [{ town: "Gayton, King's Lynn" }, {}],
    [{ town: "West Yorkshire" }, {}],
    ...["Kent", "Surrey, England", "North Devon", "Greater Manchester", "Co. Durham", "Tyne & Wear"].map(
      (town): [Partial<MatchQuestion>, Record<string, string>] => [{ town }, {}],
    ),
    [{ town: "Lynn Isle of Wight" }, { town: "agrees" }],
    [{ town: "Lynn, Essex" }, { town: "agrees" }],
    [{ town: "Leeds, Kent" }, { town: "differs" }],
    [{ town: "Row on Avon" }, { town: "differs" }],
    [{ town: "Invented Kent Road" }, { town: "differs" }],
    [{ town: "1 Invented Row, Leeds" }, {}],
    [{ town: "Invented Row, Leeds" }, {}],
    [{ town: "Invented Row, Kings Lynn" }, { town: "agrees" }],
    [{ town: "King's Lynn, Gayton" }, { town: "agrees" }],
    [{ town: "City of Leeds" }, { town: "differs" }],
    [{ town: "Lynn Regis" }, { town: "differs" }],
    [{ town: "nr Leeds, West Yorkshire" }, { town: "differs" }],
    [{ town: "1 High Street, Leeds" }, { town: "differs" }],
    [{ town: "London Borough of Leeds" }, { town: "differs" }],
    [{ town: "Gayton near King's Lynn" }, {}],
    // Words that only stand before some names are a part of others.
    [{ town: "King's Town" }, { town: "differs" }],
    [{ town: "Invented City" }, { town: "differs" }],
    [{ town: "Row-on-Lynn" }, { town: "differs" }],
    // One postcode is shared by a village and its post town.
    [{ town: "Leeds", postcode: "LS1 1ZZ" }, { postcode: "agrees" }],
    [{ status: "Active" }, { status: "agrees" }],
    [{ status: "Active - Proposal to Strike off" }, { status: "agrees" }],
    [{ status: "dissolved" }, { status: "differs" }],
    [{ status: "Voluntary Arrangement" }, { status: "differs" }],
    [{ status: "trading" }, {}],
    [{ postcode: "GIR 0AA" }, { postcode: "differs" }],
    [{ born: "12/05/1962" }, { born: "agrees" }],
    [{ born: "May 1962" }, { born: "agrees" }],
    [{ born: "1962" }, { born: "agrees" }],
    [{ born: "12/05/62" }, { born: "agrees" }],
    [{ born: "12-May-62" }, { born: "agrees" }],
    [{ born: "May-62" }, { born: "agrees" }],
    [{ born: "1962-5-12" }, { born: "agrees" }],
    [{ born: "1962/5" }, { born: "agrees" }],
    [{ born: "05/62" }, { born: "agrees" }],
    [{ born: "1962-Jun-12" }, { born: "differs" }],
    [{ born: "1962-06" }, { born: "differs" }],
    [{ born: "12/05/63" }, { born: "differs" }],
    [{ name: "Quillory Ltd, LS1 1ZZ (company no. 00912345)" }, { number: "agrees", postcode: "agrees" }],
    [{ number: "n/a", postcode: "-", town: "none", born: "" }, {}],
    ...[
      ...["#N/A", "#REF!", "#DIV/0!", "#NAME?", "NaN", "n.a.", "TBA", "tbc", "not known", "Not Applicable"],
      ...["not available", "(blank)", "undefined", "x", "XXX", "--", "12345", "0.0"],
    ].map((town): [Partial<MatchQuestion>, Record<string, string>] => [{ town }, {}]),
  ])("%j compare with the candidate as %j", (question, expected) => {
    expect(compare(question)).toEqual(expected);
  });

  it("are not compared with facts that the candidate lacks", () => {
    const { facts } = readFacts({
      type: "company",
      name: "",
      postcode: "LS1 1ZZ",
      town: "Leeds",
      born: "1962",
    });
    expect(compareFacts(facts, { numbers: [], postcodes: [], addresses: [[]] })).toEqual({});
  });

  it.each([
    ["LS11ZZ", "LS1 1ZZ"],
    ["LS1", "LS1"],
    ["80331", "80331"],
  ])("differ from the postcode %s of the register, which the reason shows as %s", (stored, shown) => {
    const { facts } = readFacts({ type: "company", name: "", postcode: "EC1V 9LT" });
    const found = compareFacts(facts, { numbers: [], postcodes: [stored], addresses: [] });
    expect(found.postcode?.reason).toBe(`postcode differs: the register has ${shown}`);
  });
});

it.each([
  ["In Administration", "administration"],
  ["in administration", "administration"],
  ["In Liquidation", "liquidation"],
  ["Live but Receiver Manager on at least one charge", "receivership"],
  ["In Administration/Receiver Manager", "insolvency-proceedings"],
  ["Converted / Closed", "converted-closed"],
  ["Receiver Action", "receivership"],
  ["insolvency-proceedings", "insolvency-proceedings"],
  ["Active (in dispute)", "active"],
  ["ACTIVE", "active"],
  ["Inactive", null],
])("the status %j is read as %j", (status, read) => {
  expect(readFacts({ type: "company", name: "Quillory Ltd", status }).facts.status).toBe(read);
});

it.each([
  "00912345 (active)",
  "00912345 - Quillory Press Ltd",
  "00912345 Ltd",
  "912345 Ltd",
  "00912345, incorporated 1 March 2010",
  "00912345 LS1 1ZZ",
  "RegNo: 00912345",
  "CompanyNo 00912345",
  "Company House 00912345",
  "CompanyNumber: 00912345",
  "RegistrationNo 00912345",
  "Comp. No. 00912345",
  "Incorporation No. 00912345",
  "Co. House no. 00912345",
  "Scottish company SC012345",
  "Registered in Scotland No. 12345",
  "E&W 00912345",
  "Eng 00912345",
  "n° 00912345",
  "https://find-and-update.company-information.service.gov.uk/company/00912345",
  "SC012345 (charity)",
  "Scot SC012345",
  "OC312345 LLP",
  "LLP No. OC312345",
  "N. Ireland NI012345",
  "NI Number NI012345",
  "Society No. IP12345R",
])("the number in the cell %j is read", (number) => {
  const { facts, notes } = readFacts({ type: "company", name: "Quillory Ltd", number });
  expect(facts.number).toMatch(/^(?:00912345|SC012345|OC312345|NI012345|IP12345R)$/);
  expect(notes).toEqual([]);
});

it.each([
  "123456 HRB",
  "HRB 123456",
  "HRB 12345",
  "SUP-001234",
  "B 123456",
  "B 1234567",
  "KvK 12345678",
  "RC No 1234567",
  "Jersey 123456",
  "2019/123456",
  "EXEMPT 20231231",
  "1234567 (charity)",
  "charity 1234567",
  "sales@quillory.com 123456",
  "LS1 1ZZ 123456",
])("%j is not read as a number of the register", (number) => {
  const { facts, notes } = readFacts({ type: "company", name: "Quillory Ltd", number });
  expect(facts.number).toBeNull();
  expect(notes).toEqual([`number "${number}" was not understood and is not used`]);
});

it.each(["LS1 1ZZ / LS2 2ZZ", "Quillory LS1 1ZZ", "LS1 1ZZ 00912345", "Leeds", "sales@quillory.com LS1 1ZZ"])(
  "%j is not read as a postcode",
  (postcode) => {
    const { facts, notes } = readFacts({ type: "company", name: "Quillory Ltd", postcode });
    expect(facts.postcode).toBeNull();
    expect(notes).toEqual([`postcode "${postcode}" was not understood and is not used`]);
  },
);

it("the notes name each fact that was not understood", () => {
  const { notes } = readFacts({
    type: "company",
    name: "x",
    postcode: "somewhere",
    number: "123456789",
    born: "May",
    status: "trading",
  });
  expect(notes).toEqual([
    'number "123456789" was not understood and is not used',
    'postcode "somewhere" was not understood and is not used',
    'status "trading" was not understood and is not used',
    'date of birth "May" was not understood and is not used',
  ]);
});
