/**
 * Judgements of people among other words or with slips: who is meant when several have parts of the name, in searches
 * of all kinds too, and texts that give other names as well.
 */
import {
  born,
  company,
  disqualified,
  judgementsOf,
  lives,
  OFFICERS,
  person,
} from "./search-order-judgement.ts";

const threePosts = { active_count: 3 };

const kinds = judgementsOf("/search", [
  [
    "kinds beside other words: the exact name before a disqualified person with more forenames",
    "Maire O'Korrigall OBE",
    [
      person("Maire", "O'KORRIGALL"),
      person("Oisin Maire", "O'KORRIGALL", disqualified),
      person("Abel Maire", "O'KORRIGALL"),
    ],
  ],
  [
    "kinds beside other words: equals in the same order as without other words",
    "Orla Korrimore (Director)",
    [person("Orla", "KORRIMORE", disqualified), person("Orla", "KORRIMORE")],
  ],
  [
    "kinds beside other words: the one who has the postcode",
    "Orla Korristane QZ7 1AA",
    [
      person("Orla", "KORRISTANE", lives("Yeovil", "QZ7 1AA")),
      person("Orla", "KORRISTANE", { ...disqualified, ...lives("Quornbeck", "QB8 8QD") }),
    ],
  ],
  [
    "kinds and a slip: the nearer name",
    "Pdraig Korrinmagh",
    [
      person("Padraig", "KORRINMAGH"),
      person("Maire Padriag", "KORRINMAHG", disqualified),
      person("Paddraig", "KORINMAGHE"),
    ],
  ],
  [
    "kinds and a slip: equals in the same order as without a slip",
    "Orla Korrintsow",
    [person("Orla", "KORRINSTOW", disqualified), person("Orla", "KORRINSTOW")],
  ],
  [
    "kinds and a slip: with a surplus middle name, people before companies with the same number of words",
    "Padraig Ignazia Korrinvekl",
    [person("Padraig", "KORRINVELK"), company("PADRAIC KORRINVELK MOTORS LTD")],
  ],
  [
    "kinds: a company close to the query does not hide people who lack one of its initials",
    "Padraig Q Korrinlarn",
    [company("PADRAIG KORRINLARN LTD"), person("Padraig", "KORRINLARN")],
  ],
]);

const forenames = judgementsOf(OFFICERS, [
  [
    "first forename: after a slip",
    "Peter Quensahw",
    [
      person("Peter", "QUENSHAW"),
      person("Peter William", "QUENSHAW"),
      person("Abel Peter", "QUENSHAW", threePosts),
      person("Peter Quenshaw", "ABELARD", threePosts),
    ],
  ],
  [
    "first forename: after a slip in it, surname first",
    "Quenshott, Petre",
    [person("Peter", "QUENSHOTT"), person("Abel Peter", "QUENSHOTT", threePosts)],
  ],
  [
    "first forename: after a slip, the initial",
    "P Quenhsolt",
    [person("Peter", "QUENSHOLT"), person("Abel Peter", "QUENSHOLT", threePosts)],
  ],
  [
    "first forename: a comma says which is the surname, after a slip",
    "quimaguire, solveigh",
    [person("Solveig", "QUIMAGUIRE"), person("Quimaguire Solveig", "ABELARD", threePosts)],
  ],
  [
    "first forename: beside a further word",
    "Peter Quenstead accountant",
    [
      person("Peter", "QUENSTEAD"),
      person("Peter William", "QUENSTEAD"),
      person("Abel Peter", "QUENSTEAD", threePosts),
    ],
  ],
  [
    "first forename: beside a further word before it",
    "Shri Peter Quensford",
    [person("Peter William", "QUENSFORD"), person("Abel Peter", "QUENSFORD", threePosts)],
  ],
  [
    "first forename: beside a further word, with a slip",
    "Peter Quensdael accountant",
    [
      person("Peter", "QUENSDALE"),
      person("Peter William", "QUENSDALE"),
      person("Abel Peter", "QUENSDALE", threePosts),
    ],
  ],
  [
    "surname with a slip: beside a middle name too many, before those of whom there are only forenames",
    "Peter Quenstham Octavia Quirlshwa",
    [person("Peter Quenstham", "QUIRLSHAW"), person("Peter", "QUENSTHAM", threePosts)],
  ],
  [
    "surname as spelt before a town: before those whose surname is near the town",
    "Peter Paul Quenmarl Bristol",
    [person("Peter Paul", "QUENMARL", lives("Bath")), person("Peter Paul", "BRISTOW")],
  ],
  [
    "initial too many: people near the query do not hide those who lack it",
    "Petar X Quenslarn",
    [person("Xaver Peter", "QUENSLARN"), person("Petar", "QUENSLARN")],
  ],
  [
    "initial: of the first forename, before another that nobody has",
    "P Osbert Quenslorn",
    [person("Peter", "QUENSLORN")],
    [person("Abel Peter", "QUENSLORN")],
  ],
  [
    "first forename: beside several words",
    "Peter Quensbridge age 40, British",
    [person("Peter William", "QUENSBRIDGE")],
  ],
]);

const doubleSurnames = judgementsOf(OFFICERS, [
  [
    "double surname: a slip, and a year",
    "Camilla Bowse-Quorlyon 1946",
    [person("Camilla", "BOWES-QUORLYON", born("1946-02")), person("Camilla", "BOWES-QUORLYON")],
    [person("Camilla Quorlyon", "ABELARD")],
  ],
  [
    "double surname: a slip, and a place",
    "Camilla Bowse-Quorlith, Aberdeen",
    [person("Camilla", "BOWES-QUORLITH")],
  ],
  [
    "double surname: a slip, and honours",
    "Camilla Bowse-Quorlode OBE",
    [person("Camilla", "BOWES-QUORLODE")],
  ],
  [
    "double surname: a slip, first, and a year",
    "Bwoes-Quorlisk, Camilla 1946",
    [person("Camilla", "BOWES-QUORLISK")],
  ],
  [
    "double surname: a slip in the forename, and a year",
    "Camille Bowes-Quisparn 1946",
    [person("Camilla", "BOWES-QUISPARN")],
  ],
  [
    "double surname: a slip, the first forename before others",
    "Camilla Bowse-Quorlinch",
    [person("Camilla", "BOWES-QUORLINCH"), person("Abel Camilla", "BOWES-QUORLINCH", threePosts)],
  ],
]);

const amongWords = judgementsOf(OFFICERS, [
  [
    "among several words: with a middle name",
    "Estate of Peter Quornhurst",
    [person("Peter", "QUORNHURST"), person("Peter William", "QUORNHURST")],
    [person("Abel", "QUORNHURST"), person("Quornhurst Abel", "PETER")],
  ],
  ["among several words: & Co", "Peter Quornholt & Co", [person("Peter William", "QUORNHOLT")]],
  [
    "among several words: after them",
    "chartered accountant Peter Quornham",
    [person("Peter William", "QUORNHAM")],
  ],
  [
    "among several words: a surname of several",
    "invoice for Peter van der Quornholm",
    [person("Peter William", "VAN DER QUORNHOLM")],
  ],
]);

const initials = judgementsOf(OFFICERS, [
  [
    "initials beside other words: a forename that is written out before one that is not",
    "John M Quenscott, born 1960",
    [person("John Mark", "QUENSCOTT", born("1960-02")), person("J M", "QUENSCOTT", born("1960-02"))],
  ],
]);

const otherNames = judgementsOf(OFFICERS, [
  [
    "nickname: in brackets after a hyphened forename",
    "Siu-Fong (Alice) Quifung",
    [person("Siu-Fong Xiaoming", "QUIFUNG"), person("Siu-Fong", "ABELARD", threePosts)],
  ],
  [
    "nickname: in brackets after two forenames",
    "Struan James (Jim) Quisleod",
    [person("Struan James", "QUISLEOD"), person("Struan James", "ABELARD", threePosts)],
  ],
  [
    "née: the register has that name",
    "Jane Quinlinski née Quickechnie",
    [person("Jane Anne", "QUICKECHNIE")],
  ],
  [
    "née: the register has both",
    "Jane Mary Quinlarski (née van der Quickard)",
    [person("Jane", "QUINLARSKI"), person("Jane", "VAN DER QUICKARD")],
  ],
  ["formerly: in brackets", "Quinlomski, Jane (formerly Quickarrow)", [person("Jane", "QUICKARROW")]],
  ["aka: a whole name", "Jane Quinlarn aka Janet Quickbourn", [person("Janet Mary", "QUICKBOURN")]],
  ["forename in two parts: with a middle name", "Xiao Ming Quizeto", [person("Xiaoming John", "QUIZETO")]],
  [
    "forename in two parts: before names that are less near",
    "Xiu Ying Quixu",
    [person("Xiuying John", "QUIXU"), person("Xia Ling", "QUIXU")],
  ],
  ["saint: written out by the searcher", "Cornelis Saint Qlair", [person("Cornelis", "ST QLAIR")]],
  [
    "saint: abbreviated by the searcher",
    "Cornelis St. Qjust",
    [person("Cornelis Jan", "SAINT-QJUST"), person("Abel Cornelis", "SAINT-QJUST", threePosts)],
  ],
  [
    "saint: as typed before the other",
    "Cornelis St Qmore",
    [person("Cornelis", "ST QMORE"), person("Cornelis", "SAINT QMORE", threePosts)],
  ],
  ["saint: beside a year", "Cornelis Saint Qlane 1946", [person("Cornelis", "ST. QLANE", born("1946-02"))]],
  ["handle: a name without spaces", "@rosalindaquarkwright", [person("Rosalind", "AQUARKWRIGHT")]],
]);

export const personSlipJudgements = [
  ...kinds,
  ...forenames,
  ...doubleSurnames,
  ...amongWords,
  ...initials,
  ...otherNames,
];
