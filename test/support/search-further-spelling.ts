/** Further judgements of near spellings of company names, and of names that are the same in law. */
import { COMPANIES, company, dissolved, insolvent, judgementsOf, office } from "./search-order-judgement.ts";

const typos = judgementsOf(COMPANIES, [
  ["typo: the first letter", "kasselworth", [company("CASSELWORTH LTD"), company("CASSELWERTH LTD")]],
  ["typo: the first two letters swapped", "rbindlemoss", [company("BRINDLEMOSS LTD")]],
  [
    "typo: two slips in one word, one in another",
    "pellingtn kotage",
    [company("PELLINGTON COTAGE LTD"), company("PELLINGTON COTTAGE LTD")],
  ],
  [
    "typo: fewer slips over all words come first, whatever the status",
    "maplethorn wharves",
    [
      company("MAPLETHURN WHARVES OF THE ESTUARY LTD", dissolved),
      company("MAPLETHURN WHARFES OF THE ESTUARY LTD", insolvent),
      company("MAPLETHURN WHARFS LTD"),
    ],
  ],
  [
    "typo: a short word may have one slip",
    "the elx barn",
    [company("ELK BARN LTD"), company("EEX BARN LTD", dissolved)],
    [company("EKE BARN SHOP LTD")],
  ],
  [
    "typo: a word of two letters may have none",
    "uv kessaly lamps",
    [company("UV KESSALLY LAMPS LTD")],
    [company("UX KESSALLY LAMPS STORE LTD")],
  ],
  [
    "typo: signs and endings do not count as slips",
    "veldermuhle & sohn gmbh",
    [company("VELDERMUEHLE AND SOHN GMBH")],
    [company("VELDER MILL LTD")],
  ],
  [
    "typo: no near names when a company has the exact name",
    "tressilmoor",
    [company("TRESSILMOOR BANK LTD", dissolved), company("TRESSILMOR LTD")],
  ],
  [
    "typo: a missing letter at the end of a long name",
    "ottergleam services internationa",
    [company("OTTERGLEAM SERVICES INTERNATIONAL LTD")],
  ],
  [
    "typo: Y for IES is one slip",
    "Hemondquarn Property Ltd",
    [company("HEMONDQUARN PROPERTIES LTD"), company("HEMONDQUERN PROPERTY LTD", dissolved)],
  ],
  ["typo: IES for Y beside another slip", "Hemondqurn Families", [company("HEMONDQUORN FAMILY LTD")]],
  [
    "typo: two slips in a name of two words, typed as one short word",
    "umbrvyde",
    [company("UMBER VIDE LTD")],
  ],
]);

const same = { restrictions: "legally-equivalent-company-name" };
const activeSame = { restrictions: "legally-equivalent-company-name active-companies" };
const restricted = [
  ...judgementsOf(
    COMPANIES,
    [
      [
        "restrictions: the same in law, but for signs, a final S and words at the end",
        "the ferrowbys company",
        [company("FERROWBY LTD"), company("FERROWBY'S PLC"), company("WWW.FERROWBY.CO.UK LTD")],
        [company("FERROWBY GROUP LTD"), company("FERROWBYS COMPANYS LTD")],
      ],
      [
        "restrictions: £, per cent and number words",
        "£5 for 100% brannerly limited",
        [
          company("£5 FOR 100% BRANNERLY LTD"),
          company("POUND FIVE FOUR 100 PER CENT BRANNERLY LTD", dissolved),
        ],
        [company("£5 FOR 100% BRANNERLY FARMS LTD")],
      ],
      [
        "restrictions: a country and a company at the end",
        "polwithen northern ireland",
        [
          company("POLWITHEN LTD", dissolved),
          company("POLWITHEN & COMPANY (UK) LTD"),
          company("POLWITHEN CYMRU CYF"),
        ],
        [company("POLWITHEN HOLDINGS LTD"), company("HALDERBY S LTD", { was: "POLWITHEN LTD" })],
      ],
    ],
    same,
  ),
  ...judgementsOf(
    COMPANIES,
    [
      [
        "restrictions: both together ask whether a name is free",
        "ulmerstock & co",
        [company("ULMERSTOCK AND COMPANY LTD")],
        [company("ULMERSTOCK LTD", dissolved), company("ULMERSTOCK STORES LTD")],
      ],
    ],
    activeSame,
  ),
];

const unrestricted = judgementsOf(COMPANIES, [
  [
    "same in law: before names that only begin with the letters, as the ending is typed",
    "Wendlequarry UK Ltd",
    [company("WENDLEQUARRY LTD"), company("WENDLEQUARRY UKRAINE LTD")],
  ],
  [
    "same in law: & CO and AND COMPANY",
    "Wendlequoin & Co Ltd",
    [company("WENDLEQUOIN & COMPANY LTD"), company("WENDLEQUOIN & COATES LTD")],
  ],
  [
    "same in law: after the name itself, and longer names with all of its words in order",
    "Wendlequern & Co Ltd",
    [
      company("WENDLEQUERN & CO LTD", dissolved),
      company("WENDLEQUERN & CO STORES LTD"),
      company("WENDLEQUERN LTD", dissolved),
      company("WENDLEQUERN & COATES LTD"),
    ],
  ],
  [
    "same in law: not without an ending when there are others, because the query may be half-typed",
    "Wendlequest & Co",
    [company("WENDLEQUEST & COATES LTD")],
    [company("WENDLEQUEST LTD")],
  ],
]);

const abbreviations = judgementsOf(COMPANIES, [
  [
    "abbreviation: INTL",
    "Abbrelquorn Intl Ltd",
    [company("ABBRELQUORN INTERNATIONAL LTD")],
    [company("ABBRELQUORN LTD")],
  ],
  ["abbreviation: SVCS", "Abbrelquoin Svcs", [company("ABBRELQUOIN SERVICES LTD")]],
  [
    "abbreviation: BROS in the name, written out in the query",
    "Abbrelquarn Brothers",
    [company("ABBRELQUARN BROS. LTD")],
  ],
  [
    "abbreviation: beside a saint",
    "St Abbrelquests Services",
    [company("SAINT ABBRELQUESTS SERVICES LTD"), company("ST ABBRELQUESTS SVCS LTD")],
  ],
  [
    "abbreviation: MGMT beside a slip",
    "Abbrelquist Mgmt Grop",
    [company("ABBRELQUIST MANAGEMENT GROUP LTD")],
  ],
  [
    "abbreviation: written out, after the name as typed and before longer names with it",
    "Abbrelquern Bros Ltd",
    [
      company("ABBRELQUERN BROS LTD", dissolved),
      company("ABBRELQUERN BROTHERS LIMITED"),
      company("ABBRELQUERN BROS (BIRCHOVER) LTD"),
      company("ABBRELQUERN BROTHERS (OAKENSHAW) LTD"),
    ],
  ],
  [
    "abbreviation: each of several written out, or all of them",
    "St Abbrelqueens Intl",
    [
      company("ST ABBRELQUEENS INTL LTD"),
      company("SAINT ABBRELQUEENS INTERNATIONAL LIMITED"),
      company("ST ABBRELQUEENS INTERNATIONAL LTD"),
    ],
  ],
  [
    "abbreviation: written out, beside a town",
    "Abbrelquirn Bros Ltd, Leeds",
    [
      company("ABBRELQUIRN BROS LTD", office("Leeds")),
      company("ABBRELQUIRN BROTHERS LIMITED", office("Leeds")),
      company("ABBRELQUIRN BROS (BIRCHOVER) LTD", office("Leeds")),
    ],
  ],
  ["abbreviation: alone, it is not written out", "St.", [company("ST LIMITED")], [company("SAINT LIMITED")]],
  [
    "abbreviation: CO, which begins the word",
    "Abbrelquip & Co",
    [company("ABBRELQUIP & CO LTD"), company("ABBRELQUIP & COMPANY LTD")],
  ],
]);

// Each with a longer name that has the abbreviation, which must not hide the name that is meant.
const eachAbbreviation = judgementsOf(
  COMPANIES,
  Object.entries({
    ASSOC: "ASSOCIATES",
    CONST: "CONSTRUCTION",
    DEVS: "DEVELOPMENTS",
    ELEC: "ELECTRICAL",
    ENG: "ENGINEERING",
    GRP: "GROUP",
    HLDGS: "HOLDINGS",
    II: "2",
    INTL: "INTERNATIONAL",
    INVS: "INVESTMENTS",
    MFG: "MANUFACTURING",
    MGMT: "MANAGEMENT",
    NTHN: "NORTHERN",
    PROPS: "PROPERTIES",
    PTNRS: "PARTNERS",
    SOLNS: "SOLUTIONS",
    SVCS: "SERVICES",
  }).map(([short, long]) => [
    `abbreviation: ${short} for ${long}`,
    `Abbrel${short}wick ${short} Ltd`,
    [company(`ABBREL${short}WICK ${long} LTD`), company(`ABBREL${short}WICK ${short} (TARN) LTD`)],
  ]),
);

export const spellingJudgements = [
  ...typos,
  ...restricted,
  ...unrestricted,
  ...abbreviations,
  ...eachAbbreviation,
];
