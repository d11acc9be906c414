/** Further judgements of the combined, the alphabetical and the dissolved search. */
import {
  body,
  born,
  company,
  disqualified,
  dissolved,
  judgementsOf,
  lives,
  office,
  type OrderJudgement,
  person,
} from "./search-order-judgement.ts";

const ALPHABETICAL = "/alphabetical-search/companies";
const DISSOLVED = "/dissolved-search/companies";

const combined = judgementsOf("/search", [
  [
    "kind: an equal name, a surname and a forename, each in its tier",
    "carrickmoor",
    [
      company("CARRICKMOOR LTD", dissolved),
      body("CARRICKMOOR LIMITED"),
      person("Ada", "CARRICKMOOR", disqualified),
      person("Ada", "CARRICKMOOR"),
      company("HALDERBY T LTD", { was: "CARRICKMOOR PLC" }),
      company("CARRICKMOOR WORKS LTD"),
      person("Ada", "CARRICKMOOR-BELL"),
      person("Carrickmoor", "BELL"),
    ],
  ],
  [
    "kind: initials in order come before other beginnings, after all companies of their tier",
    "JB Carrickvane",
    [
      company("JB CARRICKVANES LTD"),
      person("John Brian", "CARRICKVANE", disqualified),
      person("John Brian", "CARRICKVANE"),
      person("Jbert", "CARRICKVANE"),
    ],
  ],
  [
    "kind: an exact name of one kind keeps near names of all kinds out",
    "Sabina Torquell",
    [person("Sabina", "TORQUELL")],
    [company("SABINA TORQUEL LTD"), person("Sabine", "TORQUELL", disqualified)],
  ],
  [
    "kind: a near person is in tier 9, a near company in tier 11",
    "Rosalba Winterquay",
    [
      person("Rosalba", "WINTERQUEY", disqualified),
      person("Rosalba", "WINTERQUAE"),
      company("ROSALBA WINTERQAY LTD"),
    ],
  ],
  [
    "kind: equals with the stated birth are in the order of kinds, before others",
    "Paulquirl Smithquarl born February 1987",
    [
      person("Paulquirl", "SMITHQUARL", { ...disqualified, ...born("1987-02") }),
      person("Paulquirl", "SMITHQUARL", born("1987-02")),
      person("Paulquirl", "SMITHQUARL", { ...disqualified, ...born("1987-03") }),
      person("Paulquirl", "SMITHQUARL", born("1987-04")),
      person("Paulquirl", "SMITHQUARL", { ...disqualified, ...born("1954-02") }),
    ],
  ],
  [
    "kind: the same with only the year of birth",
    "Paulquirl Smathquarl 1987",
    [
      person("Paulquirl", "SMATHQUARL", born("1987-02")),
      person("Paulquirl", "SMATHQUARL", { ...disqualified, ...born("1954-02") }),
    ],
  ],
  [
    "kind: two words joined and misspelt are not a company before people of exactly this name",
    "Quirlk Hallquex Yeovil",
    [person("Quirlk", "HALLQUEX", lives("Yeovil"))],
    [company("QUIRLSHALLQUEX & DATA YEOVIL LTD", office("Leeds"))],
  ],
  [
    "number: zeros lost, before names",
    "nl 4412",
    [company("HALDERBY U LTD", { company_number: "NL004412" }), company("NL 4412 LTD")],
  ],
]);

const bestMatch = judgementsOf(
  DISSOLVED,
  [
    [
      "best-match: tiers of current names only",
      "tannerleigh & co ltd",
      [
        company("TANNERLEIGH AND CO LIMITED", dissolved),
        company("TANNERLEIGH & CO PLC", dissolved),
        company("TANNERLEIGH & COWLEY LTD", dissolved),
      ],
      [
        company("TANNERLEIGH & CO LTD"),
        company("HALDERBY V LTD", { was: "TANNERLEIGH & CO LTD", ...dissolved }),
      ],
    ],
    [
      "best-match: a slip",
      "tannerlow sipces",
      [company("TANNERLOW SPICES LTD", dissolved)],
      [company("TANNERLOW SPICES PLC")],
    ],
    [
      "best-match: the same in law",
      "3 Tannerlaw Mills Ltd",
      [company("THREE TANNERLAW MILLS LTD", dissolved), company("TANNERLAW MILLS LTD", dissolved)],
      [company("THREE TANNERLAW MILLS LIMITED")],
    ],
    [
      "best-match: the same in law, without words at its end",
      "Tannerbrant Company Ltd",
      [company("TANNERBRANT CO LIMITED", dissolved)],
      [company("TANNERBRANT & CO LTD")],
    ],
    [
      "best-match: a whole name before a town, the same in law",
      "Tannerfold UK Ltd, Leeds",
      [company("TANNERFOLD LTD", dissolved)],
    ],
    [
      "best-match: number without its zeros",
      "sc 4413",
      [
        company("HALDERBY W LTD", { company_number: "SC004413", ...dissolved }),
        company("SC 4413 LTD", dissolved),
      ],
    ],
    [
      "best-match: fewer extra words",
      "gorsefell",
      [company("GORSEFELL ZEST LTD", dissolved), company("GORSEFELL AND SONS LTD", dissolved)],
    ],
  ],
  { search_type: "best-match" },
);

const previousNames = judgementsOf(
  DISSOLVED,
  [
    [
      "previous-name: tiers of previous names only",
      "ormerlock tea",
      [
        company("HALDERBY X LTD", { was: "ORMERLOCK TEA LTD", ...dissolved }),
        company("HALDERBY Y LTD", { was: ["ORMER LTD", "ORMERLOCK TEA ROOMS LTD"], ...dissolved }),
        company("ORMERLOCK TEA LTD", { was: "TEA BY ORMERLOCK LTD", ...dissolved }),
      ],
      [company("ORMERLOCK TEA PLC", dissolved), company("HALDERBY AA LTD", { was: "ORMERLOCK TEA LTD" })],
    ],
    [
      "previous-name: a slip",
      "ormerlane tae",
      [company("HALDERBY AB LTD", { was: "ORMERLANE TEA LTD", ...dissolved })],
    ],
    [
      "previous-name: a whole name before a town, not the same in law as a present one",
      "Ormerfold UK Ltd, Leeds",
      [company("HALDERBY BC LTD", { was: "ORMERFOLD UK LTD", ...dissolved })],
      [company("ORMERFOLD LTD", { was: "HALDERBY BD LTD", ...dissolved })],
    ],
  ],
  { search_type: "previous-name-dissolved" },
);

/** A judgement of the alphabetical search: the order of the register, and which company is the top hit. */
function alphabetical(
  rule: string,
  q: string,
  inOrder: OrderJudgement["inOrder"],
  top: number,
  params = {},
  path = ALPHABETICAL,
): OrderJudgement {
  return { rule, path, q, inOrder, top, params: { size: "20", ...params } };
}

const byAlphabet = [
  alphabetical(
    "prefix: digits stand before the colon, the colon before letters",
    "zarnwick",
    [company("ZARNWICK 1 LTD"), company("ZARNWICK LTD"), company("ZARNWICK A LTD"), company("ZARNWICKB LTD")],
    1,
  ),
  alphabetical(
    "prefix: no company with an equal key",
    "zerquil",
    [company("ZERQUILD LTD"), company("ZERQUILT LTD")],
    0,
  ),
  alphabetical(
    "equal-key: names equal but for accents, signs and endings, lowest number first",
    "zobelstück & co.",
    [
      company("ZOBELSTUCK AND CO LTD", { company_number: "01000001", ...dissolved }),
      company("Zobelstück & Co PLC", { company_number: "01000002" }),
      company("ZOBEL STUCK & CO LTD", { company_number: "NI000001" }),
      company("ZOBELSTUCK AND COMPANY LTD"),
    ],
    0,
  ),
  alphabetical(
    "peel-back: several letters removed from the end",
    "Zumbrellaworth",
    [company("ZUMBREKA LTD"), company("ZUMBRELDA LTD"), company("ZUMBRELLE LTD"), company("ZUMBRELT LTD")],
    2,
  ),
  alphabetical(
    "peel-back: until a key is equal",
    "zyntherlopez",
    [company("ZYNTHERL 5 LTD"), company("ZYNTHERL LTD"), company("ZYNTHERM LTD")],
    1,
  ),
  alphabetical(
    "the: neither in the name nor in the query",
    "the zwickerby",
    [company("THE ZWICKERBY LTD"), company("ZWICKERBY HALL LTD"), company("ZWICKERBY INN LIMITED (THE)")],
    0,
  ),
  alphabetical(
    "ampersand: in the middle of a name",
    "zwinger & d",
    [company("ZWINGER LTD"), company("ZWINGER & DAWES LTD"), company("ZWINGER AND DEAN LTD")],
    1,
  ),
  alphabetical(
    "number-order: dissolved ones alone",
    "zwollern",
    [
      company("ZWOLLERN PLC", { company_number: "01000012", ...dissolved }),
      company("ZWOLLERN LTD", { company_number: "SC000012", ...dissolved }),
    ],
    0,
    { search_type: "alphabetical" },
    DISSOLVED,
  ),
];

export const otherJudgements = [...combined, ...bestMatch, ...previousNames, ...byAlphabet];
