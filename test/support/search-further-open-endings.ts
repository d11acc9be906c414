/** Further judgements of companies whose ending is half-typed or misspelt in the query. */
import { COMPANIES, company, dissolved, judgementsOf, SUGGEST } from "./search-order-judgement.ts";

// More companies than fit on a page beside the one that is meant; all begin with the word before the ending.
const OTHERS = "ABBEY BAKERY CARE DAIRY FARM GLASS HOUSE INN JOINERY KITCHEN LAMP MILL".split(" ");
const PAGE = 9;
const crowd = (name: string) => OTHERS.map((word) => company(`${name} ${word} LTD`));
const [crowdOfSe, crowdOfPac] = [crowd("COWBOATHAM"), crowd("CAWBOATHAM")];

const wordsThatBeginAsEndings = [
  ...judgementsOf(SUGGEST, [
    [
      "ending: SE is suggested as the beginning of a word first",
      "cowboatham se",
      [company("COWBOATHAM SECURITY LTD"), ...crowdOfSe.slice(0, PAGE)],
      crowdOfSe.slice(PAGE),
    ],
    [
      "ending: PAC is suggested as the beginning of a word first",
      "cawboatham pac",
      [company("CAWBOATHAM PACKAGING LTD", dissolved), ...crowdOfPac.slice(0, PAGE)],
      crowdOfPac.slice(PAGE),
    ],
  ]),
  ...judgementsOf(COMPANIES, [
    [
      "ending: first as typed, then without it, then as the beginning of a word, then with neither",
      "cewboatham se",
      [
        company("CEWBOATHAM SE", dissolved),
        company("CEWBOATHAM LTD"),
        company("HALDERBY CB LTD", { was: "CEWBOATHAM LTD" }),
        company("CEWBOATHAM SECURITY SYSTEMS LTD", dissolved),
        company("CEWBOATHAM DAIRY LTD"),
        company("CEWBOATHAMS LTD"),
        company("HALDERBY CD LTD", { was: "CEWBOATHAM SERVICES LTD" }),
        company("HALDERBY CC LTD", { was: "CEWBOATHAM DAIRY LTD" }),
      ],
    ],
    [
      "ending: as the beginning of a word after an abbreviation",
      "cuwboatham bros pac",
      [
        company("CUWBOATHAM BROS PACKAGING LTD", dissolved),
        company("CUWBOATHAM BROS DAIRY LTD"),
        company("CUWBOATHAM BROTHERS DAIRY LTD"),
      ],
    ],
  ]),
];

const openEndings = judgementsOf(COMPANIES, [
  [
    "ending: half-typed, as a beginning among others",
    "thistlemere lim",
    [company("THISTLEMERE LIMITED"), company("THISTLEMERE LIMES LTD"), company("THISTLEMERE SLIM LTD")],
    [company("THISTLEMERE PLC")],
  ],
  [
    "ending: half-typed, of several words",
    "wrackenby limited liab",
    [company("WRACKENBY LLP"), company("WRACKENBY LTD"), company("WRACKENBY PLC")],
  ],
  [
    "ending: one letter of it",
    "corsenhope l",
    [
      company("CORSENHOPE LTD"),
      company("CORSENHOPE LLP", dissolved),
      company("CORSENHOPE LARDER LTD", dissolved),
      company("CORSENHOPE PLC"),
    ],
  ],
  [
    "ending: half-typed after a previous name, below a current one",
    "ullenwick publ",
    [company("ULLENWICK PLC", dissolved), company("HALDERBY U LTD", { was: "ULLENWICK PLC" })],
    [company("ULLENWICK LTD")],
  ],
  [
    "ending: joined, of a community interest company",
    "sorrelwickcic",
    [company("SORRELWICK COMMUNITY INTEREST COMPANY")],
  ],
  [
    "ending: joined, of a community interest company, in a web address",
    "www.sorrelfordcic.co.uk",
    [company("SORRELFORD C.I.C.")],
  ],
  ["ending: misspelt", "marrowden limtied", [company("MARROWDEN LTD")], [company("MARROWDEN PLC")]],
  [
    "ending: misspelt, and the name too",
    "quarrenbi limted",
    [company("QUARRENBY LIMITED"), company("QUARREN TRADING LTD")],
    [company("QUARRENBY PLC"), company("QUARREN TRADING PLC")],
  ],
  [
    "ending: a word that resembles an ending is tried as a word first",
    "sorrelby limit",
    [company("SORRELBY LIMIT LTD"), company("SORRELBY LTD")],
    [],
  ],
]);

export const openEndingJudgements = [...openEndings, ...wordsThatBeginAsEndings];
