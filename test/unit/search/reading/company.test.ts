/** What a query says about a company: possible names, and which of the other words the address must confirm. */
import { describe, expect, test } from "@jest/globals";
import { readCompanyText } from "../../../../api/search/reading/company.ts";

/** Names that need no address, the surest first: key and class of the ending. */
function namesOf(q: string): string[] {
  return readCompanyText(q)
    .names.filter(({ agreeing }) => agreeing === 0)
    .map(({ name: { key, end }, ends }) => {
      if (ends) return `${key} ${ends.join(" ")}?`;
      return end === "NONE" ? key : `${key} ${end}`;
    });
}

/** Names that an address must confirm, each with how many words of the rest must agree. */
function confirmedOf(q: string): Record<string, string> {
  const confirmed = readCompanyText(q).names.filter(({ agreeing }) => agreeing > 0);
  return Object.fromEntries(
    confirmed.map(({ name: { key }, agreeing, rest }) => [key, `${agreeing} of ${rest.join(" ")}`]),
  );
}

describe("names that need no address", () => {
  test.each<[string, string[]]>([
    ["Quillory Press Ltd", []],
    ["Quillory Ltd, Leeds", ["QUILLORY LTD"]],
    ["Quillory plc Leeds", ["QUILLORY PLC"]],
    ["QUILLORY LTD.;LEEDS", ["QUILLORY LTD"]],
    ["Quillory Ltd\nLeeds\nLS1 1ZZ", ["QUILLORY LTD"]],
    ["Quillory Limited Liability Partnership, Leeds", ["QUILLORY LLP"]],
    ["Quillory Limited Ltd", ["QUILLORY LTD"]],
    ["Ltd Quillory", ["QUILLORY LTD"]],
    ["Quillory Ltd t/a Inkwell", ["QUILLORY LTD", "INKWELL"]],
    ["Quillory Ltd (trading as Inkwell)", ["QUILLORY LTD", "INKWELL"]],
    ["Inkwell is a trading name of Quillory Ltd", ["INKWELL", "QUILLORY LTD"]],
    ["Quillory Ltd c/o Vane LLP, 1 Row, Leeds", ["QUILLORY LTD", "QUILLORYLTDCOVANE LLP", "VANE LLP"]],
    ["Quillory t/a Inkwell, 12 Row", ["QUILLORY", "INKWELL12ROW"]],
    ["Inkwell formerly Quillory", ["INKWELL", "QUILLORY"]],
    ["Quillory (now Brantworks Ltd)", ["QUILLORY", "BRANTWORKS LTD"]],
    ["Quillory Ltd ( was Brantworks )", ["QUILLORY LTD", "BRANTWORKS"]],
    ["Quillory (ex Brantworks plc)", ["QUILLORY", "BRANTWORKS PLC"]],
    ["Quillory (Nowhere) Ltd", []],
    ["Quillory (Great Tarn Pier) Ltd", []],
    ["Inkwell (Quillory Ltd)", ["QUILLORY LTD"]],
    ["Inkwell [Quillory Ltd.]", ["QUILLORY LTD"]],
    ["Inkwell / Quillory Ltd", ["QUILLORY LTD"]],
    ["Inkwell: Quillory Ltd", ["QUILLORY LTD"]],
    ["Inkwell (trading name of Quillory Ltd)", ["INKWELL", "QUILLORY LTD"]],
    ["Quillory (fka Inkwell)", ["QUILLORY", "INKWELL"]],
    ["Quillory n/k/a Inkwell", ["QUILLORY", "INKWELL"]],
    // A word between two companies begins a name, and may be a part of one.
    ["Quillory Ltd v Vane (UK) Ltd", ["QUILLORY LTD", "VANEUK LTD"]],
    ["Quillory plc & Vane LLP", ["QUILLORY PLC", "VANE LLP"]],
    ["Quillory and Vane Ltd", []],
    ["Limited & Co Ltd", ["ANDCOLTD LTD"]],
    // Beside other words an ending may be cut off or misspelt.
    ["BACS Quillory Limi", ["QUILLORYLIMI", "QUILLORY LTD LLP LP?"]],
    ["Quillory Lmited, Leeds", ["QUILLORYLMITED", "QUILLORY LTD?"]],
    ["Quillory Public LS1 1ZZ", ["QUILLORYPUBLIC", "QUILLORY PLC?"]],
    ["Quillory UK, Leeds", ["QUILLORYUK"]],
    ["Quillory Lane, Leeds", ["QUILLORYLANE"]],
    // A number of another kind ends a name too.
    ["Quillory Trust, registered charity number 1234567", ["QUILLORYTRUST"]],
    ["Quillory invoice 12345678", ["QUILLORY"]],
    ["Quillory Press 01632 960123", ["QUILLORYPRESS"]],
    ["Quillory (912345)", ["QUILLORY"]],
    ["Quillory LS1 1ZZ", ["QUILLORY"]],
    ["Quillory Trust (a company limited by guarantee)", ["QUILLORYTRUST", "QUILLORYTRUSTACOMPANY LTD"]],
    ["Quillory Company Limited by guarantee", ["QUILLORY", "QUILLORYCOMPANY LTD"]],
    ["Quillory Company Limited", []],
    ["www.quilloryltd.co.uk", ["QUILLORYLTDCOUK", "QUILLORYLTD", "QUILLORY LTD?"]],
    ["www.quillory-lim.co.uk", ["QUILLORYLIMCOUK", "QUILLORYLIM"]],
    ["www.thequillory.co.uk", ["THEQUILLORYCOUK", "THEQUILLORY", "QUILLORYCOUK", "QUILLORY"]],
    ["www.thetford.co.uk", ["THETFORDCOUK", "THETFORD"]],
    ["Thequillory Ltd, Leeds", ["THEQUILLORY LTD", "QUILLORY LTD"]],
    ["Quillory Bros, Leeds", ["QUILLORYBROS", "QUILLORYBROTHERS"]],
    ["www.quillory.co.uk", ["QUILLORYCOUK", "QUILLORY"]],
    ["Messrs Quillory", ["QUILLORY"]],
    ["who owns Quillory", ["QUILLORY"]],
    ["Invoice 12345 Quillory", ["QUILLORY"]],
    ["Quillory invoice 12345", ["QUILLORY"]],
    ["The Quillory Company", ["QUILLORY"]],
    ["Quillory Companies House", ["QUILLORY"]],
    ["THE QUILLORY TRUST overview - Find and update company information - GOV.UK", ["QUILLORYTRUST"]],
    ["QUILLORY TRUST filing history - Find and update company information - GOV.UK", ["QUILLORYTRUST"]],
    ["QUILLORY LTD - Find and update company information - GOV.UK", ["QUILLORY LTD"]],
    ["Head Office: Quillory", ["QUILLORY"]],
    [
      "Invoice from Quillory Press, Leeds",
      ["INVOICEFROMQUILLORYPRESS", "QUILLORYPRESSLEEDS", "QUILLORYPRESS"],
    ],
    ["Company Name: Quillory Press, Leeds", ["QUILLORYPRESSLEEDS", "QUILLORYPRESS"]],
    ["Supplier: Quillory, Leeds", ["QUILLORYLEEDS", "QUILLORY"]],
    ["VAT Registration Number: 123456789 Quillory Press", ["QUILLORYPRESS", "123456789QUILLORYPRESS"]],
    ["VAT Reg Quillory", ["QUILLORY"]],
    ["Reg Quillory", []],
    ["PO 4567 Quillory", ["QUILLORY"]],
    ["24 Quillory", []],
    ["The 24 Quillory", []],
    ["Quillory House", []],
    ["Quillory Companies", []],
    ["Quillory Head Office Ltd", []],
    ["Companies House", []],
    // Words of a legal ending, and those before it, do not count as words around a name.
    ["Quillory Public Limited Company", []],
    ["Quillory Community Interest Company", []],
    ["Invoice Quillory Company Limited", ["QUILLORYCOMPANY LTD"]],
    ["Card Limited", []],
    ["Quillory Press, England", ["QUILLORYPRESS"]],
    // A town may be another one than that of the registered office.
    ["Quillory Press, Leeds", ["QUILLORYPRESS"]],
    ["00912345", []],
    ["LS1 1ZZ", []],
    ["Leeds", []],
    ["", []],
    ["LTD", []],
  ])("in %j are %j", (q, names) => {
    expect(namesOf(q)).toEqual(names);
  });

  test.each<[string, string]>([
    ["Quillory.com Ltd, Leeds", "QUILLORYCOM LTD"],
    ["Quillory.com, Leeds", "QUILLORYCOM"],
    ["Quillory.com LS1 1ZZ", "QUILLORY"],
    ["1234567 Limited, Leeds", "1234567 LTD"],
    ["SE1 2LZ Quillory Ltd, Leeds", "SE12LZQUILLORY LTD"],
    ["12 March 2024 Ltd, Leeds", "12MARCH2024 LTD"],
    ["Quillory Home Care of Inkwell Ltd, Leeds", "QUILLORYHOMECAREOFINKWELL LTD"],
  ])("may contain a web address, a number, a postcode or a marker: %j has %j", (q, name) => {
    expect(namesOf(q)).toContain(name);
    expect(namesOf(q)).not.toContain("LEEDS LTD");
    expect(namesOf(q).filter((read) => ["LTD", "LIMITED"].includes(read))).toEqual([]);
  });

  test("are of a second company only its whole name", () => {
    const names = namesOf("Quillory Ltd v Vane Press Ltd, Leeds");
    expect(names).toContain("VANEPRESS LTD");
    expect(names).not.toContain("PRESS LTD");
  });

  test.each([
    "T A SMITH",
    "TA Smith",
    "C O Quillory",
    "A K A Ltd",
    "DBA Consulting Ltd",
    "AKA Ltd",
    "FKA Ltd",
  ])("do not end at letters that are not a marker: %j", (q) => {
    expect(namesOf(q)).toEqual([]);
  });
});

describe("names that an address must confirm", () => {
  test.each<[string, Record<string, string>]>([
    ["Quillory Leeds", { QUILLORY: "1 of LEEDS", LEEDS: "1 of QUILLORY" }],
    ["Quillory Leeds Ltd", { QUILLORY: "1 of LEEDS" }],
    ["Quillory (Leeds)", { QUILLORY: "1 of LEEDS" }],
    ["Quillory of Leeds", { QUILLORY: "1 of LEEDS" }],
    ["Quillory England", { QUILLORY: "1 of ENGLAND" }],
    ["Quillory Northern Leeds", { QUILLORY: "2 of NORTHERN LEEDS" }],
    ["Quillory Leeds Northern Ireland", { QUILLORY: "1 of LEEDS" }],
    ["Quillory, 3 Lark Row, Leeds", { QUILLORY: "2 of 3 LARK ROW LEEDS" }],
    ["Quillory Press (head office and warehouse)", { QUILLORYPRESS: "2 of HEAD OFFICE AND WAREHOUSE" }],
    ["Upper Tarn Quillory", { QUILLORY: "2 of UPPER TARN" }],
    // In a name with commas, each part may be a name, but none without its address.
    ["Smith, Vane & Tarn", { SMITH: "2 of VANE AND TARN" }],
  ])("in %j are %j", (q, names) => {
    expect(namesOf(q)).toEqual([]);
    expect(confirmedOf(q)).toMatchObject(names);
  });
});

describe("the reading", () => {
  test.each<[string, Partial<ReturnType<typeof readCompanyText>>]>([
    ["Quillory Ltd, Leeds LS1 1ZZ", { postcode: "LS11ZZ", place: ["LTD", "LEEDS"], words: ["QUILLORY"] }],
    ["Quillory Ltd (912345)", { numbers: ["00912345"], words: ["QUILLORY"] }],
    ["Quillory Press Leeds", { numbers: [], postcode: null, words: ["QUILLORY", "PRESS", "LEEDS"] }],
    ["Quillory t/a Inkwell", { words: ["QUILLORY"], around: [] }],
    ["Quillory of Leeds, England", { place: ["LEEDS"] }],
    ["Quillory Ltd (North)", { around: ["QUILLORY", "NORTH"] }],
    ["Quillory Ltd, Leeds", { around: [] }],
    ["Quillory Ltd North South East West", { around: [] }],
    ["Quillory.com Leeds", { words: ["QUILLORY", "LEEDS"] }],
    ["LS1 1ZZ, England", { postcode: "LS11ZZ", names: [], words: [] }],
    ["United LS1 1ZZ", { postcode: "LS11ZZ", words: ["UNITED"] }],
  ])("of %j has the facts %j", (q, facts) => {
    expect(readCompanyText(q)).toMatchObject(facts);
  });

  test("has a name with its ending at the end of a sentence", () => {
    const { lastNames } = readCompanyText("Thank you for your payment to Quillory Press Publishing LLP");
    expect(lastNames).toContainEqual(expect.objectContaining({ key: "QUILLORYPRESSPUBLISHING", end: "LLP" }));
    const keys = lastNames.map(({ key }) => key);
    expect(keys).not.toContain("TOQUILLORYPRESSPUBLISHING");
  });

  test("has none at the end of so short a text that it splits into the name and an address", () => {
    const { lastNames } = readCompanyText("Your payment to Quillory Press Publishing LLP");
    expect(lastNames.map(({ key }) => key)).not.toContain("QUILLORYPRESSPUBLISHING");
  });

  test.each<[string, string[]]>([
    ["Your remittance advice Quillory Ltd", ["QUILLORY"]],
    ["Order dated 24 Quillory Ltd", ["QUILLORY"]],
    ["Your statement from Quillory Ltd", ["QUILLORY"]],
    ["24 Quillory Ltd", []],
    // One word is no name after a word that may be part of it, if it is a town or generic, or without an ending.
    ["Invoice from Brant Quillory Ltd", []],
    ["Zanzel Brant Quillory Ltd", []],
    ["Your remittance advice Leeds Ltd", []],
    ["Your remittance advice Holdings Ltd", []],
    ["Your remittance advice Quillory", []],
  ])("of %j has, of its last word alone, the names %j", (q, keys) => {
    const { lastNames } = readCompanyText(q);
    expect(lastNames.filter(({ words }) => words.length === 1).map(({ key }) => key)).toEqual(keys);
  });

  test.each<[string, string[]]>([
    ["BACS Quillory Builders Merch", ["QUILLORYBUILDERSMERCH"]],
    ["Quillory Builders Merch ref 1234", ["QUILLORYBUILDERSMERCH"]],
    ["Quillory Builders Merch", []],
    ["BACS Quillory", []],
    ["BACS Building Serv", []],
    ["BACS T V", []],
    ["BACS Quillory Sto", ["QUILLORYSTO"]],
    ["BACS B&Q Sto", ["BANDQSTO"]],
    ["BACS Quillory Builders Ltd", []],
    ["BACS Quillory Builders Limi", ["QUILLORYBUILDERSLIMI"]],
  ])("of %j has, as names that may be cut off, %j", (q, keys) => {
    const { names } = readCompanyText(q);
    expect(names.filter(({ isOpen }) => isOpen).map(({ name }) => name.key)).toEqual(keys);
  });

  test.each(["A overview - ", "overview", "  "])(
    "of a text of repeated %p takes a linear number of steps",
    (part) => {
      const started = performance.now();
      readCompanyText(part.repeat(2000));
      expect(performance.now() - started).toBeLessThan(2000);
    },
  );

  test("of a text of any length has a bounded number of names and words", () => {
    const { names, place, words } = readCompanyText("QUILLORY LTD, PRESS INK ".repeat(200));
    expect(names.length).toBeLessThanOrEqual(20);
    expect(place.length).toBeLessThan(32);
    expect(words.length).toBeLessThanOrEqual(8);
  });
});
