/** Judgements of company names in documents: with trading names, endings anywhere, surplus words, slips. */
import {
  COMPANIES,
  company,
  dissolved,
  judgementsOf,
  numbered,
  type OrderJudgement,
  office,
  person,
  SUGGEST,
} from "./search-order-judgement.ts";

const HERE = office("Yeovil", "QZ6 1AA");
const ELSEWHERE = office("Quornbeck", "QB8 8QC");

const tradingNames = judgementsOf(COMPANIES, [
  [
    "read trading name: after t/a",
    "Hobquarrel Ltd t/a Zinnifer Cakes",
    [company("HOBQUARREL LTD"), company("ZINNIFER CAKES LTD")],
  ],
  [
    "read trading name: before the company",
    "Zoxendale Teas trading as Hobnarrow Ltd",
    [company("ZOXENDALE TEAS LTD"), company("HOBNARROW LTD")],
  ],
  ["read trading name: dba", "Mumblecrag Ltd dba The Pear Wagon", [company("MUMBLECRAG LTD")]],
  [
    "read trading name: a sentence",
    "The Loud Quince is a trading name of Fandrigal Inns Limited",
    [company("FANDRIGAL INNS LIMITED")],
  ],
  ["read trading name: T/A without an ending", "Emberlusk T/A Wold Kettles", [company("EMBERLUSK LTD")]],
  [
    "read care of: the company before c/o comes first",
    "Crastonby Foods Ltd c/o Delmarque Ledgers",
    [company("CRASTONBY FOODS LTD"), company("DELMARQUE LEDGERS LTD")],
  ],
  [
    "read former name: after the current one",
    "Cavendrum Ltd formerly Addlequist Ltd",
    [company("CAVENDRUM LTD"), company("ADDLEQUIST LTD")],
  ],
]);

const endings = judgementsOf(COMPANIES, [
  ["read ending: doubled", "Jarnquest Limited Ltd", [company("JARNQUEST LIMITED")]],
  ["read ending: in front", "Ltd Jaxobel Wines", [company("JAXOBEL WINES LTD")]],
  [
    "read ending: in the middle, orders equals",
    "Jurbexe Organ plc Yeovil",
    [company("JURBEXE ORGAN PLC", HERE), company("JURBEXE ORGAN LTD", HERE)],
  ],
  [
    "read ending: before surplus words",
    "Jolvander Kites Ltd annual return",
    [company("JOLVANDER KITES LTD")],
  ],
  ["read ending: in Welsh, in the middle", "Jennopryd Cyf Yeovil", [company("JENNOPRYD LIMITED", HERE)]],
]);

const surplus = judgementsOf(COMPANIES, [
  ["surplus: an invoice", "Invoice from Kexterby Lamps", [company("KEXTERBY LAMPS LTD")]],
  ["surplus: Messrs", "Messrs Kandlevere & Sons", [company("KANDLEVERE & SONS LTD")]],
  ["surplus: a question", "who owns Kirrelvane Farms", [company("KIRRELVANE FARMS LTD")]],
  ["surplus: number of an invoice", "Kolmadine Pumps Ltd invoice 20391", [company("KOLMADINE PUMPS LTD")]],
  [
    "surplus: an amount and a day",
    "ref Kuddlestrap Boats £1,250.00 paid 12/03/2024",
    [company("KUDDLESTRAP BOATS LTD")],
  ],
  ["surplus: an office", "Kyrdlemoor Group head office", [company("KYRDLEMOOR GROUP LTD")]],
  ["surplus: the web address alone", "www.lorpington-quay.co.uk", [company("LORPINGTON QUAY LTD")]],
  ["surplus: a mail address", "accounts@luxtremble.com", [company("LUXTREMBLE LTD")]],
  [
    "surplus: the address of a web page",
    "https://www.lindquerry.co.uk/about-us",
    [company("LINDQUERRY LTD")],
  ],
]);

const slips = judgementsOf(COMPANIES, [
  [
    "slip and town",
    "Moxtervick Vaults Yeovil",
    [company("MOXTERWICK VAULTS LTD", HERE), company("MOXTERWICK VAULTS LTD", ELSEWHERE)],
  ],
  ["slip, ending and town", "Mulbertrax Ltd, Yeovil", [company("MULBERTRIX LTD", HERE)]],
  [
    "slip and postcode",
    "Nabbelthrope Coaches QZ6 1AB",
    [company("NABBELTHORPE COACHES LTD", office("Yeovil", "QZ6 1AB"))],
  ],
  ["slip and a surplus word", "Nivverstokke Coaches invoice", [company("NIVVERSTOCKE COACHES LTD")]],
  [
    "slip: a name that differs by a letter comes after exact and longer names",
    "Ostrebrand",
    [
      company("OSTREBRAND LTD", dissolved),
      company("OSTREBRAND NORTH LTD", dissolved),
      company("OSTREBRANT LTD"),
    ],
  ],
  [
    "slip: beside a former name",
    "Ovingdrack Mills",
    [company("HALDERBY X LTD", { was: "OVINGDRACK MILLS LTD" }), company("OVINGDRACH MILLS LTD")],
  ],
]);

const limits = judgementsOf(COMPANIES, [
  [
    "no reading: names with most words, but not most of the rare ones, come last",
    "Prendlequay Vostermoor Building Services Yeovil",
    [
      company("PRENDLEQUAY VOSTERMOOR SERVICES LTD", dissolved),
      company("PRENDLEQUAY BUILDING SERVICES YEOVIL LTD", HERE),
    ],
  ],
  [
    "read below plain: a town that is in the name",
    "Pravendish Yeovil Ltd",
    [company("PRAVENDISH YEOVIL LTD", { ...ELSEWHERE, ...dissolved }), company("PRAVENDISH LTD", HERE)],
  ],
  [
    "read below plain: a longer name",
    "Prexilby Yeovil",
    [company("PREXILBY YEOVIL HOLDINGS LTD", dissolved), company("PREXILBY LTD", HERE)],
  ],
  [
    "read below plain: the words in another order",
    "Pundercrag Yeovil",
    [company("YEOVIL AND PUNDERCRAG LTD", dissolved), company("PUNDERCRAG LTD", HERE)],
  ],
  [
    "read below plain: a former name with the town",
    "Pyxelworth Yeovil",
    [company("HALDERBY Y LTD", { was: "PYXELWORTH YEOVIL LTD" }), company("PYXELWORTH LTD", HERE)],
  ],
  [
    "no reading: shared generic words, a near name only",
    "Quabberdine Holdings Group",
    [company("QUABBERDYNE HOLDINGS GROUP LTD")],
    [company("QUOLLMARSH HOLDINGS GROUP LTD"), company("UDDLEHOLME HOLDINGS LTD")],
  ],
  [
    "no reading: a shared generic word and a shared town",
    "Quaddermist Properties Yeovil",
    [company("QUADDERMIST PROPERTIES LTD", HERE)],
    [company("ULLSTREAM PROPERTIES LTD", HERE)],
  ],
  [
    "no reading: a shared town",
    "Quistorvane Yeovil",
    [company("QUISTORVANE MILL LTD", HERE)],
    [company("QUOLLHEATH LTD", HERE), company("YEOVIL LTD")],
  ],
  [
    "no reading: a year in brackets is not a number",
    "Rindlefoss (2009) Ltd",
    [company("RINDLEFOSS (2009) LTD")],
    [numbered("00002009")],
  ],
  [
    "no reading: a telephone number is not a number",
    "Rastrewick Doors tel 01632 960123",
    [company("RASTREWICK DOORS LTD")],
    [numbered("00960123"), numbered("00001632")],
  ],
  [
    "no reading: a house number is not a company number",
    "Rembulstone Ltd, No 5 High Street",
    [company("REMBULSTONE LTD")],
    [numbered("00000005")],
  ],
  [
    "no reading: the letters T and A apart are not TRADING AS",
    "T A Sprockenbury",
    [company("T A SPROCKENBURY LTD", dissolved), company("T A SPROCKENBURY AND DAUGHTERS LTD")],
  ],
]);

const suggestions = judgementsOf(SUGGEST, [
  [
    "suggest: a slip while it is typed",
    "vratlequ",
    [company("VRANTLEQUILL LTD")],
    [company("VRONTLEWELL LTD")],
  ],
  ["suggest: two letters swapped", "urdwebr", [company("URDWBERRY FENCING LTD")]],
  ["suggest: a number half typed", "84551", [numbered("84551001"), numbered("84551002")]],
  [
    "suggest: a number half typed, its zero left out",
    "734188",
    [numbered("07341882")],
    [numbered("17341882")],
  ],
  ["suggest: a number half typed, with its prefix", "ni 6614", [numbered("NI661402")]],
]);

const places = judgementsOf(COMPANIES, [
  [
    "read place: London, where the company is not",
    "Umbraquist London",
    [company("UMBRAQUIST LTD", ELSEWHERE)],
  ],
  ["read place: London before a name", "London Umbraqueld", [company("UMBRAQUELD LTD", ELSEWHERE)]],
  [
    "read place: London after a name of two words",
    "Umbraquarn Press of London",
    [company("UMBRAQUARN PRESS LTD", ELSEWHERE)],
    [company("LONDON LTD")],
  ],
  ["read place: a country", "Umbraquoll Scotland", [company("UMBRAQUOLL LTD", ELSEWHERE)]],
  [
    "read place: a word of many names is not a place",
    "Umbraqueth Trading",
    [company("UMBRAQUETH TRADING LTD")],
    [company("UMBRAQUETH LTD")],
  ],
]);

const numbers = judgementsOf(COMPANIES, [
  [
    "read number: two of them, before a name near both",
    "00934571 / 90934571",
    [
      company("HALDERBY AJ LTD", { company_number: "00934571" }),
      company("HALDERBY AK LTD", { company_number: "90934571" }),
      company("934571 TRADING LTD"),
    ],
  ],
  [
    "read number: in groups of three after its label",
    "Company number 934 583",
    [numbered("00934583")],
    [numbered("00000934")],
  ],
  ["read number: a prefix with dots", "S.C. 93459", [numbered("SC093459")]],
]);

const pages = judgementsOf(COMPANIES, [
  [
    "register's page: its title, of a name without an ending",
    "THE UMBRAQUINT TRUST overview - Find and update company information - GOV.UK",
    [company("THE UMBRAQUINT TRUST")],
  ],
]);

const combined: OrderJudgement[] = judgementsOf("/search", [
  [
    "read in all kinds: name, ending and town",
    "Sembroldine Ltd, Yeovil",
    [company("SEMBROLDINE LTD", HERE), company("SEMBROLDINE LTD", ELSEWHERE)],
  ],
  ["read in all kinds: a person's honours", "Sigrun Tolpeddock OBE", [person("Sigrun", "TOLPEDDOCK")]],
]);

const inDissolved = judgementsOf(
  "/dissolved-search/companies",
  [
    [
      "read among the dissolved: name, ending and town",
      "Torvaldique Ltd, Yeovil",
      [
        company("TORVALDIQUE LTD", { ...HERE, ...dissolved }),
        company("TORVALDIQUE LTD", { ...ELSEWHERE, ...dissolved }),
      ],
      [company("TORVALDIQUE PLC", HERE)],
    ],
  ],
  { search_type: "best-match" },
);

export const documentReadingJudgements = [
  ...tradingNames,
  ...endings,
  ...surplus,
  ...slips,
  ...limits,
  ...suggestions,
  ...places,
  ...numbers,
  ...pages,
  ...combined,
  ...inDissolved,
];
