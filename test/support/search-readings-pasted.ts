/** Judgements of company names from web pages and letters, which give more or less than the register does. */
import { COMPANIES, company, judgementsOf, numbered, office } from "./search-order-judgement.ts";

const numbers = judgementsOf(COMPANIES, [
  [
    "read number: of Scotland, without its prefix",
    "Registered in Scotland No. 90391",
    [numbered("SC090391")],
    [numbered("00090391")],
  ],
  [
    "read number: of an English and a Scottish company, neither of which is meant",
    "Registered in England and Scotland with number 90394",
    [numbered("00090394")],
    [numbered("SC090394")],
  ],
  [
    "read number: one that may be a year",
    "Zorbwickon SC 1970",
    [company("ZORBWICKON LTD"), numbered("SC001970")],
  ],
  [
    "read number: of Northern Ireland, without its prefix",
    "Registered in Northern Ireland No. 90392",
    [numbered("NI090392")],
    [numbered("00090392")],
  ],
  ["read number: which a spreadsheet made a decimal one", "90395.0", [numbered("00090395")]],
  [
    "read number: in groups after a country",
    "Registered in England No. 0903 9393",
    [numbered("09039393")],
    [numbered("00000903")],
  ],
]);

const escapes = judgementsOf(COMPANIES, [
  [
    "escaped sign: an ampersand",
    "Vorrendale &amp; Brunst Ltd",
    [company("VORRENDALE & BRUNST LTD"), company("VORRENDALE & BRUNSTAN LTD")],
    [company("BRUNST LTD"), company("VORRENDALE LTD")],
  ],
  ["escaped sign: an apostrophe", "Vorrenfold&#39;s Press", [company("VORRENFOLD'S PRESS LTD")]],
  ["escaped sign: of an address", "Vorrenmere%20%26%20Quist%2C%20Truro", [company("VORRENMERE & QUIST LTD")]],
  ["escaped sign: escaped twice", "Vorrenford&amp;#039;s Press", [company("VORRENFORD'S PRESS LTD")]],
  ["escaped sign: quotation marks", "&quot;Vorrengate Press&quot;", [company("VORRENGATE PRESS LTD")]],
  [
    "escaped sign: an apostrophe in another encoding",
    "Vorrenhopeâ€™s Press",
    [company("VORRENHOPE'S PRESS LTD")],
  ],
  ["escaped sign: a dash in another encoding", "Vorrenlow â€“ Press", [company("VORRENLOW PRESS LTD")]],
  [
    "escaped sign: none after a mere ampersand",
    "Vorrenmoor &Amp Ltd",
    [company("VORRENMOOR & AMP LTD")],
    [company("VORRENMOOR & LTD")],
  ],
  [
    "escaped sign: spaces of an address's query",
    "Vorrenholt+&+Quist+Builders",
    [company("VORRENHOLT & QUIST BUILDERS LTD")],
  ],
  [
    "escaped sign: spaces and other signs of an address's query",
    "Vorrenbury+%26+Quist%27s",
    [company("VORRENBURY & QUIST'S LTD")],
  ],
  ["escaped sign: a space before an ending", "Vorrenwick+Ltd", [company("VORRENWICK LTD")]],
  [
    "escaped sign: none for a space when there are real spaces",
    "Vorrenlea+Quist+Hobb Ltd",
    [company("VORRENLEA + QUIST + HOBB LTD")],
    [company("VORRENLEA QUIST HOBB LTD")],
  ],
  [
    "escaped sign: no space between two words, or letters",
    "Vorrenby+Quist",
    [company("VORRENBY PLUS QUIST LTD")],
    [company("VORRENBY QUIST LTD")],
  ],
]);

const ELSEWHERE = office("Quornbeck", "QB8 8QD");

const forms = judgementsOf(COMPANIES, [
  [
    "read form: limited by guarantee, after a name of two words",
    "Wimmerby Trust (a company limited by guarantee)",
    [company("WIMMERBY TRUST")],
    [company("A COMPANY LTD"), company("GUARANTEE LTD")],
  ],
  [
    "read form: limited by guarantee, after a name of one word and a comma",
    "Wimmerfold, a charitable company limited by guarantee",
    [company("WIMMERFOLD LTD")],
  ],
  [
    "read form: limited by shares, before where it is registered",
    "Wimmergate Press, a private company limited by shares, registered in England No. 88220041",
    [company("WIMMERGATE PRESS LTD", { company_number: "88220041" }), company("WIMMERGATE PRESS LTD")],
  ],
  [
    "read form: a company whose name has such a word",
    "Wimmerlow Company Limited",
    [company("WIMMERLOW COMPANY LIMITED"), company("WIMMERLOW LTD")],
  ],
]);

const addresses = judgementsOf(COMPANIES, [
  [
    "read web address: with an ending",
    "info@yalbrookltd.co.uk",
    [company("YALBROOK LTD")],
    [company("YALBROOK PLC")],
  ],
  [
    "read web address: with an ending, of several words",
    "www.yalderpressltd.co.uk",
    [company("YALDER PRESS LTD")],
    [company("YALDER LTD")],
  ],
  ["read web address: THE in it", "www.theyalfordarms.co.uk", [company("THE YALFORD ARMS LTD")]],
  [
    "read web address: another word that begins with THE",
    "www.theryalt.co.uk",
    [company("THERYALT LTD")],
    [company("RYALT LTD")],
  ],
  ["read web address: below UK.COM", "info@yalgate.uk.com", [company("YALGATE LTD")], [company("UK LTD")]],
  ["read web address: of a college", "www.yalhope.ac.uk", [company("YALHOPE LTD")], [company("AC LTD")]],
  ["joined THE: a query of one word", "theyalmoorarms", [company("THE YALMOOR ARMS LTD")]],
  [
    "joined THE: another word that begins so",
    "thermalyx",
    [company("THERMALYX LTD")],
    [company("RMALYX LTD")],
  ],
]);

const around = judgementsOf(COMPANIES, [
  [
    "surplus pair: companies house",
    "zennaby companies house",
    [company("ZENNABY LTD")],
    [company("HOUSE LTD")],
  ],
  ["surplus pair: head office", "zennafold head office", [company("ZENNAFOLD LTD")]],
  ["surplus pair: registered address", "zennagate registered address", [company("ZENNAGATE LTD")]],
  ["surplus pair: annual accounts", "zennahope annual accounts", [company("ZENNAHOPE LTD")]],
  ["surplus pair: a field of a form", "Company name: Zennalow", [company("ZENNALOW LTD")]],
  [
    "surplus pair: either word alone may be of a name",
    "zennamoor house",
    [company("ZENNAMOOR HOUSE LTD")],
    [company("ZENNAMOOR LTD")],
  ],
]);

const brackets = judgementsOf(COMPANIES, [
  [
    "read bracket: a status of several words",
    "Abbermoor Press (in creditors' voluntary liquidation)",
    [company("ABBERMOOR PRESS LTD")],
  ],
  [
    "read bracket: a remark of several words",
    "Abberfold Press (head office and warehouse)",
    [company("ABBERFOLD PRESS LTD")],
  ],
  [
    "read bracket: a part of the name, by its ending",
    "Abbergate (Great Yalm Pier) Ltd",
    [company("ABBERGATE (GREAT YALM PIER) LTD")],
    [company("GREAT YALM PIER LTD"), company("ABBERGATE LTD")],
  ],
]);

const otherAddresses = judgementsOf(COMPANIES, [
  [
    "read address: another address with a number hides no name of one word",
    "Cuxelmoor, 12 Harp Street, Quornbeck",
    [company("CUXELMOOR LTD", office("Lowbeck", "LB2 8QD"))],
  ],
  [
    "read address: words after a comma that are no address do not find names of one word",
    "Cuxelfold, Vane and Tarn Partners",
    [company("CUXELFOLD VANE TARN PARTNERS LTD")],
    [company("CUXELFOLD LTD")],
  ],
]);

const lanes = judgementsOf(COMPANIES, [
  [
    "read address: alone, with an abbreviated word, after companies that have it as typed",
    "17 Zelmere St, Yeovil QZ5 5WA",
    [
      company("BELLWICK LTD", office("Yeovil", "QZ5 5WA", "17 Zelmere St")),
      company("ABBLEWICK LTD", office("Yeovil", "QZ5 5WA", "17 Zelmere Street")),
    ],
    [company("CADDLEWICK LTD", office("Yeovil", "QZ5 5WA", "18 Zelmere Street"))],
  ],
  [
    "read address: alone, with an extra unit and county",
    "Unit 4, 17 Zelmore Street, Yeovil, Somerset, QZ5 5WB",
    [company("DEDDLEWICK LTD", office("Yeovil", "QZ5 5WB", "17 Zelmore Street"))],
    [
      company("EDDLEWICK LTD", office("Yeovil", "QZ5 5WB", "Unit 4, 18 Zelmore Street")),
      company("FEDDLEWICK LTD", office("Yeovil", "QZ5 5WD", "17 Zelmore Street")),
    ],
  ],
  [
    "read address: of another company beside a name, most of which it has",
    "Geddlewick Larders, 17 Zelmare Street, Yeovil, Somerset QZ5 5WE",
    [company("GEDDLEWICK LARDERS LTD", ELSEWHERE)],
    [company("HEDDLEWORTH LTD", office("Yeovil", "QZ5 5WE", "17 Zelmare Street"))],
  ],
]);

const postcodes = judgementsOf(COMPANIES, [
  [
    "read postcode: after words of a question",
    "companies at QZ5 4WA",
    [company("ZAMBERLY LTD", office("Yeovil", "QZ5 4WA"))],
  ],
  [
    "read postcode: after its label",
    "Postcode: QZ5 4WB",
    [company("ZAMBERLEY LTD", office("Yeovil", "QZ5 4WB"))],
  ],
  [
    "read postcode: after companies and a word before places",
    "companies in QZ5 4WG",
    [company("ZAMBERLAW LTD", office("Yeovil", "QZ5 4WG"))],
  ],
  [
    "read postcode: beside its country, before companies named like the country",
    "QZ5 4WH, UK",
    [company("ZAMBERLOW LTD", office("Yeovil", "QZ5 4WH"))],
  ],
  [
    "read postcode: after a unit and its floor",
    "Zamberfold Ltd, Unit B1 1st Floor, 12 High Street, Yeovil QZ5 4WD",
    [
      company("ZAMBERFOLD LTD", office("Yeovil", "QZ5 4WD", "12 High Street")),
      company("ZAMBERFOLD LTD", office("Yeovil", "B1 1ST", "12 High Street")),
    ],
  ],
  [
    "read postcode: beside a generic name, not all companies with it",
    "Training Consulting Ltd QZ5 4WF",
    [company("TRAINING CONSULTING LTD", ELSEWHERE)],
    [company("QUORFOLD TILES LTD", office("Yeovil", "QZ5 4WF"))],
  ],
  [
    "read postcode: beside a name, not all companies with it",
    "Zambergate Ltd QZ5 4WE",
    [company("ZAMBERGATE LTD", ELSEWHERE)],
    [company("QUORFELD TILES LTD", office("Yeovil", "QZ5 4WE"))],
  ],
]);

const sameBeforeTheLaw = judgementsOf(COMPANIES, [
  [
    "same as: beside a town, after the same name",
    "Dunnaby UK Ltd, Leeds",
    [company("DUNNABY UK LTD", ELSEWHERE), company("DUNNABY LTD", ELSEWHERE)],
    [company("DUNNABY TILES LTD", ELSEWHERE)],
  ],
  [
    "same as: beside a town, before names with the same number of words",
    "Dunnafold & Co Ltd, Leeds",
    [company("DUNNAFOLD COMPANY LTD", ELSEWHERE), company("DUNNAFOLD & BROTHERS LTD", ELSEWHERE)],
  ],
  [
    "same as: not when nothing marks the end of the name",
    "Invoice Dunnagate UK",
    [company("DUNNAGATE UK LTD", ELSEWHERE)],
    [company("DUNNAGATE LTD", ELSEWHERE)],
  ],
]);

export const pastedJudgements = [
  ...numbers,
  ...escapes,
  ...forms,
  ...addresses,
  ...around,
  ...brackets,
  ...otherAddresses,
  ...lanes,
  ...postcodes,
  ...sameBeforeTheLaw,
];
