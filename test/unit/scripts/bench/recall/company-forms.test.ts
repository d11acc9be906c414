import { expect, it } from "@jest/globals";
import { toCompanyTarget } from "../../../../../scripts/bench/recall/company-target.ts";
import { endingForms, nameForms } from "../../../../../scripts/bench/recall/forms/company-names.ts";
import { companyNumberForms } from "../../../../../scripts/bench/recall/forms/company-numbers.ts";
import {
  surplusForms,
  tradingForms,
  webForms,
} from "../../../../../scripts/bench/recall/forms/company-papers.ts";
import {
  addressForms,
  placeForms,
  postcodeForms,
} from "../../../../../scripts/bench/recall/forms/company-places.ts";
import { companySlipForms } from "../../../../../scripts/bench/recall/forms/company-slips.ts";
import { suggestForms } from "../../../../../scripts/bench/recall/forms/suggestions.ts";
import { alwaysFirst } from "../../../../support/always-first.ts";

const company = {
  number: "01234567",
  name: "QUILLORY HARBOUR PRESS LIMITED",
  status: "active",
  created: "2011-02-03",
  sic: "62020",
  locality: "NORWICH",
  address: {
    premises: "12",
    address_line_1: "MILL LANE",
    address_line_2: "BUSINESS PARK",
    locality: "NORWICH",
    region: "NORFOLK",
    country: "England",
    postal_code: "NR1 4AB",
  },
};
const target = toCompanyTarget(company, "upper");
const named = (name: string) => toCompanyTarget({ ...company, name }, "upper");

it.each([
  [
    "a name",
    nameForms,
    {
      "exact name": "QUILLORY HARBOUR PRESS LIMITED",
      "name without ending": "QUILLORY HARBOUR PRESS",
      "lower case": "quillory harbour press limited",
      "the name": "the QUILLORY HARBOUR PRESS",
      "and for &": undefined,
      "& without spaces": undefined,
      "space for hyphen": undefined,
      "hyphen for space": "QUILLORY-HARBOUR-PRESS",
      "words joined": "QUILLORYHARBOURPRESS",
      "two words joined, ending": "QUILLORYHARBOUR PRESS LIMITED",
      "beginning of a name": "qui",
      "name cut short": "QUILLORY HARBOUR P",
      "two words, any order": "harbour press",
      "typing slip": "QILLORY HARBOUR PRESS",
    },
  ],
  [
    "legal endings",
    endingForms,
    {
      "ending in front": "LIMITED QUILLORY HARBOUR PRESS",
      "ending in brackets": "QUILLORY HARBOUR PRESS (LIMITED)",
      "comma, ending": "QUILLORY HARBOUR PRESS, LIMITED",
      "ending doubled": "QUILLORY HARBOUR PRESS LIMITED LIMITED",
      "ending doubled, both spellings": "QUILLORY HARBOUR PRESS Ltd Limited",
      "wrong ending": "QUILLORY HARBOUR PRESS PLC",
      "ending and trailing signs": "QUILLORY HARBOUR PRESS Ltd.,",
      "ending in brackets, town": "QUILLORY HARBOUR PRESS (LIMITED) NORWICH",
      "town, ending": "QUILLORY HARBOUR PRESS NORWICH LIMITED",
      "(town) ending": "QUILLORY HARBOUR PRESS (NORWICH) LIMITED",
      "wrong ending, town": "QUILLORY HARBOUR PRESS PLC, NORWICH",
    },
  ],
  [
    "words round a name",
    surplusForms,
    {
      "surplus word in front": "Messrs QUILLORY HARBOUR PRESS LIMITED",
      "surplus word in front, no ending": "Messrs QUILLORY HARBOUR PRESS",
      "surplus label in front": "Attn: QUILLORY HARBOUR PRESS LIMITED",
      "surplus word behind": "QUILLORY HARBOUR PRESS LIMITED invoice",
      "surplus word behind, no ending": "QUILLORY HARBOUR PRESS invoice",
      "surplus state": "QUILLORY HARBOUR PRESS LIMITED (dissolved)",
      "invoice from": "Invoice from QUILLORY HARBOUR PRESS Ltd",
      "invoice with its number": "QUILLORY HARBOUR PRESS LIMITED invoice no 1000",
      "bank statement": "BACS QUILLORY HARBOUR PRESS LTD REF 111111",
      "date, name, amount": "12/03/2024 QUILLORY HARBOUR PRESS LIMITED £111.50",
      "quotes round the name": '"QUILLORY HARBOUR PRESS LIMITED"',
      "quotes round the name, ending": '"QUILLORY HARBOUR PRESS" LIMITED',
      "brackets round the name": "(QUILLORY HARBOUR PRESS LIMITED)",
      "name and VAT number": "QUILLORY HARBOUR PRESS LIMITED VAT GB 111 4567 89",
      "name and telephone": "QUILLORY HARBOUR PRESS LIMITED Tel: 020 7946 0111",
      "who owns": "who owns QUILLORY HARBOUR PRESS LIMITED?",
    },
  ],
  [
    "websites and e-mail addresses",
    webForms,
    {
      website: "quilloryharbourpress.co.uk",
      "website with www": "www.quilloryharbourpress.com",
      "website with https": "https://www.quilloryharbourpress.co.uk/",
      "website with hyphens": "www.quillory-harbour-press.co.uk",
      "e-mail address": "info@quilloryharbourpress.co.uk",
      "name and website": "QUILLORY HARBOUR PRESS LIMITED www.quilloryharbourpress.co.uk",
    },
  ],
  [
    "trading names",
    tradingForms,
    {
      "name t/a something": "QUILLORY HARBOUR PRESS LIMITED t/a Blue Lantern Café",
      "name T/A, no ending": "QUILLORY HARBOUR PRESS T/A Blue Lantern Café",
      "something t/a name": "Blue Lantern Café t/a QUILLORY HARBOUR PRESS LIMITED",
      "trading as": "QUILLORY HARBOUR PRESS LIMITED trading as Blue Lantern Café",
      "(trading as ...)": "QUILLORY HARBOUR PRESS LIMITED (trading as Blue Lantern Café)",
      "something, a trading name of": "Blue Lantern Café is a trading name of QUILLORY HARBOUR PRESS LIMITED",
      formerly: "QUILLORY HARBOUR PRESS LIMITED (formerly Blue Lantern Café Ltd)",
      "name t/a something, town": "QUILLORY HARBOUR PRESS LIMITED t/a Blue Lantern Café, NORWICH",
    },
  ],
  [
    "company numbers",
    companyNumberForms,
    {
      "number alone": "01234567",
      "number without leading zeros": "1234567",
      "number in groups": "01 234 567",
      "number in brackets": "(01234567)",
      "name, ending, (number)": "QUILLORY HARBOUR PRESS LIMITED (01234567)",
      "name, ending, number": "QUILLORY HARBOUR PRESS LIMITED 01234567",
      "name, number without zeros": "QUILLORY HARBOUR PRESS LIMITED 1234567",
      "name - number": "QUILLORY HARBOUR PRESS LIMITED - 01234567",
      "name, labelled number": "QUILLORY HARBOUR PRESS LIMITED, Company No. 01234567",
      "name (labelled number)": "QUILLORY HARBOUR PRESS LIMITED (Company No. 01234567)",
      "number, name": "01234567 QUILLORY HARBOUR PRESS LIMITED",
      "number with a label": "Company No. 01234567",
      "number with a label, zeros lost": "Company No. 1234567",
      "#number": "#01234567",
      "reg no": "Reg no: 01234567",
      "CRN number": "CRN 01234567",
      "no number": "No. 01234567",
      "registered in, number": "Registered in England and Wales number 01234567",
      "name, registered in, number":
        "QUILLORY HARBOUR PRESS LIMITED, registered in England and Wales no. 01234567",
      "a sentence with a number":
        "QUILLORY HARBOUR PRESS LIMITED is a company registered in England and Wales (company number 01234567)",
      "link with a number": "https://find-and-update.company-information.service.gov.uk/company/01234567",
    },
  ],
  [
    "towns, counties and countries",
    placeForms,
    {
      "name and town": "QUILLORY HARBOUR PRESS NORWICH",
      "name, town": "QUILLORY HARBOUR PRESS, NORWICH",
      "name, ending, town": "QUILLORY HARBOUR PRESS LIMITED, NORWICH",
      "name ending town": "QUILLORY HARBOUR PRESS LIMITED NORWICH",
      "name - town": "QUILLORY HARBOUR PRESS LIMITED - NORWICH",
      "name (town)": "QUILLORY HARBOUR PRESS (NORWICH)",
      "name of town": "QUILLORY HARBOUR PRESS of NORWICH",
      "name in town": "QUILLORY HARBOUR PRESS LIMITED in NORWICH",
      "town in front": "NORWICH QUILLORY HARBOUR PRESS LIMITED",
      "town in front, no ending": "NORWICH QUILLORY HARBOUR PRESS",
      "name, street, town": "QUILLORY HARBOUR PRESS LIMITED, 12 MILL LANE, NORWICH",
      "name and county": "QUILLORY HARBOUR PRESS NORFOLK",
      "name, ending, county": "QUILLORY HARBOUR PRESS LIMITED, NORFOLK",
      "name and country": "QUILLORY HARBOUR PRESS ENGLAND",
      "name, ending, country": "QUILLORY HARBOUR PRESS LIMITED, ENGLAND",
      "name, town, county": "QUILLORY HARBOUR PRESS LIMITED, NORWICH, NORFOLK",
      "name, town, country": "QUILLORY HARBOUR PRESS LIMITED, NORWICH, ENGLAND",
    },
  ],
  [
    "postcodes",
    postcodeForms,
    {
      "name and postcode": "QUILLORY HARBOUR PRESS NR1 4AB",
      "name, ending, postcode": "QUILLORY HARBOUR PRESS LIMITED, NR1 4AB",
      "name, postcode without space": "QUILLORY HARBOUR PRESS NR14AB",
      "name (postcode)": "QUILLORY HARBOUR PRESS LIMITED (NR1 4AB)",
      "name, town, postcode": "QUILLORY HARBOUR PRESS LIMITED, NORWICH NR1 4AB",
      "postcode in front": "NR1 4AB QUILLORY HARBOUR PRESS LIMITED",
      "name, beginning of the postcode": "QUILLORY HARBOUR PRESS LIMITED NR1",
      "postcode alone": "NR1 4AB",
      "postcode alone, without space": "NR14AB",
    },
  ],
  [
    "addresses",
    addressForms,
    {
      "address by commas":
        "QUILLORY HARBOUR PRESS LIMITED, 12 MILL LANE, BUSINESS PARK, NORWICH, NORFOLK, ENGLAND, NR1 4AB",
      "address by lines":
        "QUILLORY HARBOUR PRESS LIMITED\n12 MILL LANE\nBUSINESS PARK\nNORWICH\nNORFOLK\nENGLAND\nNR1 4AB",
      "address by spaces":
        "QUILLORY HARBOUR PRESS LIMITED 12 MILL LANE BUSINESS PARK NORWICH NORFOLK ENGLAND NR1 4AB",
      "address without country":
        "QUILLORY HARBOUR PRESS LIMITED, 12 MILL LANE, BUSINESS PARK, NORWICH, NORFOLK, NR1 4AB",
      "address without ending":
        "QUILLORY HARBOUR PRESS, 12 MILL LANE, BUSINESS PARK, NORWICH, NORFOLK, ENGLAND, NR1 4AB",
      "address, one line missing":
        "QUILLORY HARBOUR PRESS LIMITED, 12 MILL LANE, NORWICH, NORFOLK, ENGLAND, NR1 4AB",
      "address, c/o":
        "QUILLORY HARBOUR PRESS LIMITED, c/o Smith & Partners, 12 MILL LANE, BUSINESS PARK, NORWICH, NORFOLK, ENGLAND, NR1 4AB",
      "address, c/o in front":
        "c/o QUILLORY HARBOUR PRESS LIMITED, 12 MILL LANE, BUSINESS PARK, NORWICH, NORFOLK, ENGLAND, NR1 4AB",
      "address, unit":
        "QUILLORY HARBOUR PRESS LIMITED, Unit 4, 12 MILL LANE, BUSINESS PARK, NORWICH, NORFOLK, ENGLAND, NR1 4AB",
      "address, another street":
        "QUILLORY HARBOUR PRESS LIMITED, 12 Quillory Mews, NORWICH, NORFOLK, ENGLAND, NR1 4AB",
      "address, registered office":
        "QUILLORY HARBOUR PRESS LIMITED, registered office: 12 MILL LANE, BUSINESS PARK, NORWICH, NORFOLK, ENGLAND, NR1 4AB",
      "address and number":
        "QUILLORY HARBOUR PRESS LIMITED, 12 MILL LANE, BUSINESS PARK, NORWICH, NORFOLK, ENGLAND, NR1 4AB 01234567",
    },
  ],
  [
    "typing slips",
    companySlipForms,
    {
      "slip and ending": "QILLORY HARBOUR PRESS LIMITED",
      "slip in the ending": "QUILLORY HARBOUR PRESS Limted",
      "slip and surplus word": "QILLORY HARBOUR PRESS invoice",
      "slip, ending, surplus word": "invoice QILLORY HARBOUR PRESS LIMITED",
      "slip, trading as": "QILLORY HARBOUR PRESS LIMITED t/a Marigold Bakery",
      "two slips": "QILLORY HRBOUR PRESS",
      "slip and town": "QILLORY HARBOUR PRESS NORWICH",
      "slip, ending, town": "QILLORY HARBOUR PRESS LIMITED, NORWICH",
      "slip in the town": "QUILLORY HARBOUR PRESS NRWICH",
      "two slips and town": "QILLORY HRBOUR PRESS NORWICH",
      "slip and postcode": "QILLORY HARBOUR PRESS NR1 4AB",
      "slip and address": "QILLORY HARBOUR PRESS LIMITED, 12 MILL LANE, NORWICH, NR1 4AB",
      "slip, ending, (number)": "QILLORY HARBOUR PRESS LIMITED (01234567)",
    },
  ],
  [
    "half-typed names and numbers",
    suggestForms,
    {
      "suggest, 5 letters": "quill",
      "suggest, 8 letters": "quillory",
      "suggest, joined beginning": "QUILLORYHARB",
      "suggest, number half typed": "01234",
      "suggest, number half typed, zeros lost": "12345",
      "suggest, slip in 8 letters": "QILLORY",
      "suggest, slip, next word begun": "QILLORY HA",
    },
  ],
] as const)("writes the forms of %s", (_title, forms, queries) => {
  expect(Object.fromEntries(forms.map(({ name, write }) => [name, write(target, alwaysFirst)]))).toEqual(
    queries,
  );
});

it.each([
  ["and for &", "TOLMARSH & SONS LTD", "TOLMARSH and SONS LTD"],
  ["& without spaces", "TOLMARSH & SONS LTD", "TOLMARSH&SONS LTD"],
  ["space for hyphen", "HALDEN-ROOK LTD", "HALDEN ROOK LTD"],
])("writes the form %s of %s", (form, name, query) => {
  expect(nameForms.find((one) => one.name === form)?.write(named(name), alwaysFirst)).toBe(query);
});

it("has no form for facts that a company lacks", () => {
  const bare = toCompanyTarget({ ...company, name: "QUILLORY TRUST", address: undefined }, "title");
  const forms = [...endingForms, ...placeForms, ...postcodeForms, ...addressForms, ...companySlipForms];
  const queries = forms.flatMap(({ write }) => write(bare, alwaysFirst) ?? []);
  expect(queries).toEqual(["Quillory Trust Ltd.,", "Quillory Trust Limted", "Qillory Trust invoice"]);
});
