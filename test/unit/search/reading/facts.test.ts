/** The facts of a query: company numbers, a postcode, web and mail addresses. */
import { describe, expect, test } from "@jest/globals";
import { takeFacts, takeNumberAsked, withoutAmounts } from "../../../../api/search/reading/facts.ts";
import { foldText } from "../../../../index-mappings/names/text.ts";

const factsOf = (q: string) => takeFacts(withoutAmounts(foldText(q)));
/** The rest of the query, without gaps. */
const leftOf = (q: string) =>
  factsOf(q)
    .text.replace(/[\s,]+/g, " ")
    .trim();

describe("a company number", () => {
  test.each<[string, string[], string]>([
    ["Company No. 00912345", ["00912345"], ""],
    ["#912345", ["00912345"], ""],
    ["Quillory Ltd (912345)", ["00912345"], "QUILLORY LTD"],
    ["CRN: 912345", ["00912345"], ""],
    ["Registered in England and Wales No. 912345", ["00912345"], ""],
    ["Co. Reg. No: 912345", ["00912345"], ""],
    ["company number is 912345", ["00912345"], ""],
    ["company number SC 090123", ["SC090123"], ""],
    ["Company no 12", ["00000012"], ""],
    ["Company number: 0912 3456", ["09123456"], ""],
    ["company no. 00-934-567, Leeds", ["00934567"], "LEEDS"],
    ["Company no. 0912-34-56", ["09123456"], ""],
    ["Company no. 0912 3456\n12 High Street", ["09123456"], "12 HIGH STREET"],
    ["Company no. 09 12 34 56 12 High Street", ["09123456"], "12 HIGH STREET"],
    ["№ 912345", ["00912345"], ""],
    ["Company No: SC 123 456", ["SC123456"], ""],
    ["Quillory SC 12 34 56 Leeds", ["SC123456"], "QUILLORY LEEDS"],
    ["NI-123-456", ["NI123456"], ""],
    ["Quillory SC-123456", ["SC123456"], "QUILLORY"],
    ["Company no. SC-1234", ["SC001234"], ""],
    ["Company no. SC123, 45 High Street", ["SC000123"], "45 HIGH STREET"],
    ["Company no. SC123 45 High Street", ["SC000123"], "45 HIGH STREET"],
    ["Quillory 912345, company number 00912345", ["00912345"], "QUILLORY"],
    ["quillory sc90123", ["SC090123"], "QUILLORY"],
    ["OC301234", ["OC301234"], ""],
    ["R0000123", ["R0000123"], ""],
    ["IP00123R", ["IP00123R"], ""],
    ["SC1970", ["SC001970"], ""],
    ["Quillory SC 1970", ["SC001970"], "QUILLORY"],
    ["Quillory, registered 1936", ["00001936"], "QUILLORY"],
    ["Company no. SC 1970", ["SC001970"], ""],
    ["Reg. no. 1936", ["00001936"], ""],
    ["CRN 1936", ["00001936"], ""],
    ["Quillory 123456", ["00123456"], "QUILLORY"],
    ["https://register.example.org.uk/company/00912345/officers", ["00912345"], ""],
    ["https://find-and-update.company-information.service.gov.uk/company/00912345", ["00912345"], ""],
    ["CO 123456", ["00123456"], "CO"],
    ["Company number 912,345", ["00912345"], ""],
    ["Quillory Ltd, company no. 1,234,567, Leeds", ["01234567"], "QUILLORY LTD LEEDS"],
    ["Quillory SC.123456", ["SC123456"], "QUILLORY"],
    ["Quillory IP.28003R", ["IP28003R"], "QUILLORY"],
    ["Quillory, RS No. 780024", ["RS780024"], "QUILLORY"],
    ["Quillory Ltd, SC No. 123456", ["SC123456"], "QUILLORY LTD"],
    ["Quillory Ltd SC Number 123456", ["SC123456"], "QUILLORY LTD"],
    ["Quillory Ltd, SC No: 123456", ["SC123456"], "QUILLORY LTD"],
    ["company no. SC/123456", ["SC123456"], ""],
    ["company no. SC: 123 456", ["SC123456"], ""],
    ["OC Number 301234", ["OC301234"], ""],
    ["Quillory LP.012345", ["LP012345"], "QUILLORY"],
    ["Sono 123456", ["00123456"], "SONO"],
    ["Company no. 912, 345 High Street", ["00000912"], "345 HIGH STREET"],
    ["Quillory, charity no. 1234567, company no. 912345", ["00912345"], "QUILLORY"],
    ["Companies House 912345", ["00912345"], ""],
    ["Quillory No. 12345", ["00012345"], "QUILLORY"],
    ["Companies House, 21 Vane Street", [], "COMPANIES HOUSE 21 VANE STREET"],
    ["Ref company no. 912345", ["00912345"], ""],
    ["Invoice of company no. 912345", ["00912345"], "INVOICE OF"],
    ["Quillory GB00912345", ["00912345"], "QUILLORY"],
    ["Quillory GB-COH-00912345", ["00912345"], "QUILLORY"],
    ["Quillory Ltd (UKSC090123)", ["SC090123"], "QUILLORY LTD"],
    ["Quillory Ltd, registered in Scotland no. 90312", ["SC090312"], "QUILLORY LTD"],
    ["Company registered in Scotland (No. 90312)", ["SC090312"], ""],
    ["Registered in N. Ireland No: 12345", ["NI012345"], ""],
    ["Registered in Northern Ireland, number NI 012345", ["NI012345"], ""],
    ["Registered in Scotland No. SO301234", ["SO301234"], ""],
    ["Registered in Scotland No. 00912345", ["00912345"], ""],
    ["Registered in England & Scotland No. 912345", ["00912345"], "REGISTERED IN ENGLAND &"],
    ["Quillory Scotland, company no. 912345", ["00912345"], "QUILLORY"],
    ["Reg. Scotland No. 90312", ["SC090312"], ""],
    ["Registered in Ireland No. 912345", ["00912345"], "REGISTERED IN IRELAND"],
    ["Quillory Scotland 123456", ["00123456"], "QUILLORY SCOTLAND"],
    ["Registered in England No. 0912 3456", ["09123456"], ""],
    ["Registered in England and Wales with number 0912 3456", ["09123456"], ""],
    ["Co. No. 0912 3456", ["09123456"], ""],
    ["Co. No. 912,345", ["00912345"], ""],
    ["Company number 912 345", ["00912345"], ""],
    ["Quillory, Company No. 912-345", ["00912345"], "QUILLORY"],
    ["Reg No 91 23 45", ["00912345"], ""],
    ["CRN 912 345, Leeds", ["00912345"], "LEEDS"],
    ["Company no. 1234 56 High Street", ["00001234"], "56 HIGH STREET"],
    ["Quillory S.C. 90123", ["SC090123"], "QUILLORY"],
    ["N.I. 12345", ["NI012345"], ""],
    ["Registered in Scotland No. S. C. 123456", ["SC123456"], ""],
  ])("in %j is read as %j, which leaves %j", (q, numbers, left) => {
    expect(factsOf(q).numbers).toEqual(numbers);
    expect(leftOf(q)).toBe(left);
  });

  test.each([
    "No. 12 High Street",
    "Scotland No. 12 High Street",
    "Leeds, England, No. 12 3456 High Street",
    "NO 5 HIGH STREET",
    "Quillory (2009) Ltd",
    "Quillory 2009",
    "Quillory 12345",
    "Number 10 Ltd",
    "NI 12",
    "N.I. 12",
    "U.S.C. 1234",
    "R2 D2 Ltd",
    "VAT number 123456789",
    "VAT no. 123 4567 89",
    "VAT Reg No 12345678",
    "Quillory VAT GB123456789",
    "tel 01632 960123",
    "Quillory, 020 7946 0123",
    "+44 (0)1632 960123",
    "07700-900123",
    "phone no. 960123",
    "invoice no 100234",
    "Invoice 12345678",
    "Quillory Trust, registered charity number 1234567",
    "Quillory INV 100456",
    "Quillory Ref: 88812345",
    "Quillory a/c 12345678",
    "Quillory A/C No. 12345678",
    "PO 4500123",
    "FRN 123456",
    "SRA number 654321",
    "customer number 12345678",
    "sort code 20-00-00, account 12345678",
    "Quillory £123,456.00",
    "Quillory 12/03/2024",
  ])("is not read in %j", (q) => {
    expect(factsOf(q).numbers).toEqual([]);
  });
});

test.each<[string, string | null]>([
  ["Company number 00912345", "00912345"],
  ["directors of 00912345", "00912345"],
  ["Nomanby 00912345", null],
  ["00912345 and 00912346", null],
  ["00912345, LS1 1ZZ", null],
  ["00912345 www.quillory.co.uk", null],
])("a query that only asks for a company number: %j asks for %j", (q, number) => {
  expect(takeNumberAsked(foldText(q))).toBe(number);
});

describe("what is no part of a name", () => {
  test.each<[string, string]>([
    ["12 Mar 2024 Quillory Ltd", "QUILLORY LTD"],
    ["Quillory Ltd 12th March, 2024", "QUILLORY LTD"],
    ["Mar 12, 2024 Quillory Ltd", "QUILLORY LTD"],
    ["12-MAR-2024 QUILLORY LTD", "QUILLORY LTD"],
    ["2024-03-12 Quillory Ltd", "QUILLORY LTD"],
    ["12/03/2024 Quillory Ltd", "QUILLORY LTD"],
    ["12th of March 2024 Quillory Ltd", "QUILLORY LTD"],
    ["Quillory Ltd 12 Mar 24", "QUILLORY LTD"],
    ["12-Mar-24, Quillory Ltd", "QUILLORY LTD"],
    ["12 March Road Ltd", "12 MARCH ROAD LTD"],
    ["12 March 10 Row Ltd", "12 MARCH 10 ROW LTD"],
    ["May 2024 Ltd", "MAY 2024 LTD"],
    ["4 May Street 2010 Ltd", "4 MAY STREET 2010 LTD"],
  ])("includes whole dates: %j leaves %j", (q, left) => {
    expect(leftOf(q)).toBe(left);
  });

  test("includes telephone numbers", () => {
    expect(leftOf("Quillory +44 1632 960123 Leeds")).toBe("QUILLORY LEEDS");
  });
});

describe("a year after initials, a surname or a forename is not a company number", () => {
  const numbersOf = (q: string) => takeFacts(foldText(q), { isPerson: true }).numbers;

  test.each([
    "Nomanby, RC 1955",
    "Nomanby, RS. 1955",
    "Nomanby, CS/1955",
    "Amy So 1972",
    "Nomanby, Reg 1936",
    "Quillory, registered 1936",
  ])("in %j", (q) => {
    expect(numbersOf(q)).toEqual([]);
  });

  test.each([
    ["Nomanby SC1970", "SC001970"],
    ["Nomanby SC 2170", "SC002170"],
    ["Nomanby, company no. SC 1970", "SC001970"],
    ["Nomanby, reg. no. 1936", "00001936"],
  ])("but in %j, %j is one", (q, number) => {
    expect(numbersOf(q)).toEqual([number]);
  });
});

describe("a postcode", () => {
  test.each<[string, string | null, string]>([
    ["SW1A 1AA London", "SW1A1AA", "LONDON"],
    ["quillory e16an", "E16AN", "QUILLORY"],
    ["ec1a1bb", "EC1A1BB", ""],
    ["Quillory Ltd, Leeds, ls1  1zz", "LS11ZZ", "QUILLORY LTD LEEDS"],
    ["GIR 0AA", "GIR0AA", ""],
    ["AB12 3CD 912345", "AB123CD", ""],
    ["E1 2345", null, "E1 2345"],
    ["Unit B1 1st Floor, Leeds LS1 1ZZ", "LS11ZZ", "UNIT B1 1ST FLOOR LEEDS"],
    ["E1 OAK", null, "E1 OAK"],
    ["M1 5 Ltd", null, "M1 5 LTD"],
    ["SW1A", null, "SW1A"],
  ])("in %j is %j, and leaves %j", (q, postcode, left) => {
    expect(factsOf(q).postcode).toBe(postcode);
    expect(leftOf(q)).toBe(left);
  });
});

describe("a web or mail address", () => {
  test.each<[string, string[]]>([
    ["www.quillory-press.co.uk", ["QUILLORY PRESS.CO.UK"]],
    ["sales@quillory.com", ["QUILLORY.COM"]],
    ["https://shop.quillory.org.uk/about?x=1", ["QUILLORY.ORG.UK"]],
    ["Quillory.London, Leeds", ["QUILLORY.LONDON"]],
    ["A.B. CO", []],
    ["Quillory Ltd.,Leeds", []],
    ["www.quillory-press.shop", ["QUILLORY PRESS.SHOP"]],
    ["https://quillory.de/about", ["QUILLORY.DE"]],
    ["https://www.quillory.com.au", ["QUILLORY.COM.AU"]],
    ["jane@mail.quillory.co.nz", ["QUILLORY.CO.NZ"]],
    ["https://www.node.js", ["NODE.JS"]],
    ["info@quillory.uk.com", ["QUILLORY.UK.COM"]],
    ["www.quillory.ac.uk", ["QUILLORY.AC.UK"]],
    ["www.quillory", []],
    ["quillory.shop", []],
    ["St.Jude Ltd", []],
    ["@home.care", []],
    ["https://www.quillory-press.co.uk", ["QUILLORY PRESS.CO.UK"]],
    ["jane@mail.quillory-press.co.uk", ["QUILLORY PRESS.CO.UK"]],
    ["https://www.quillory-press.shop", ["QUILLORY PRESS.SHOP"]],
    ["https://www.quillory", []],
    ["https://find-and-update.company-information.service.gov.uk/company/00912345", []],
  ])("in %j is read as %j", (q, domains) => {
    expect(factsOf(q).domains).toEqual(domains);
  });

  test("takes a linear number of steps in a long text of dots", () => {
    const started = performance.now();
    expect(takeFacts("CO.".repeat(700)).domains).toEqual([]);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
