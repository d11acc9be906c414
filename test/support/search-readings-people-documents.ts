/** Judgements of people in documents: beside a post, a firm or a town, after a title, on a page of the register. */
import { born, disqualified, judgementsOf, lives, OFFICERS, person } from "./search-order-judgement.ts";

const behind = judgementsOf(OFFICERS, [
  [
    "after a name: her post, without a firm",
    "Jane Quorlpost, Finance Director",
    [person("Jane", "QUORLPOST"), person("Jane Mary", "QUORLPOST")],
    [person("Anna", "QUORLPOST"), person("Mary Jane", "QUORLPOST")],
  ],
  [
    "after a name: a firm after a dash",
    "Jane Quorldash - Quillory Press",
    [person("Jane Mary", "QUORLDASH")],
    [person("Anna", "QUORLDASH")],
  ],
  [
    "after a name: a firm in brackets",
    "Jane Quorlbrack (Quillory Press)",
    [person("Jane Mary", "QUORLBRACK")],
  ],
  [
    "after a name: a long name of a firm",
    "Jane Quorlfirm (Quillory Village Hall Trust)",
    [person("Jane", "QUORLFIRM"), person("Jane Mary", "QUORLFIRM")],
  ],
  [
    "after a name: a long post",
    "Jane Quorlhead, Head of Group Sales",
    [person("Jane", "QUORLHEAD"), person("Jane Mary", "QUORLHEAD")],
  ],
  [
    "after a name: forenames, where it is a surname of two words",
    "Quorlvane Quorlbeck, Imogen Mary",
    [person("Imogen Mary", "QUORLVANE-QUORLBECK"), person("Imogen", "QUORLVANE QUORLBECK")],
    [person("Anna", "QUORLVANE-QUORLBECK")],
  ],
  [
    "after a name: one word, which may be a forename",
    "Jane Quorlone, Zelda",
    [person("Zelda", "JANE-QUORLONE")],
    [person("J", "QUORLONE")],
  ],
  [
    "register's page: its title",
    "Jane Mary QUORLPAGE personal appointments - Find and update company information - GOV.UK",
    [person("Jane Mary", "QUORLPAGE"), person("Jane Mary Ann", "QUORLPAGE")],
    [person("Anna", "QUORLPAGE")],
  ],
  [
    "register's page: a result of a search",
    "Jane Mary QUORLIST Total number of appointments 3 - Born March 1970 1 High Street, Leeds",
    [person("Jane Mary", "QUORLIST", born("1970-03")), person("Jane Mary", "QUORLIST", { active_count: 4 })],
    [person("Anna", "QUORLIST", born("1970-03"))],
  ],
  [
    "after a name: the register",
    "Jane Quorlregister Companies House",
    [person("Jane Mary", "QUORLREGISTER")],
  ],
  ["after a name: an office", "Jane Quorloffice registered office", [person("Jane Mary", "QUORLOFFICE")]],
  ["after a name: a search", "Jane Quorlsearch director search", [person("Jane Mary", "QUORLSEARCH")]],
  [
    "after a name: a post and a town",
    "Jane Quorlposted company director Yeovil",
    [
      person("Jane Mary", "QUORLPOSTED", lives("Yeovil")),
      person("Jane Mary", "QUORLPOSTED", { ...lives("Quornbeck"), active_count: 4 }),
    ],
  ],
]);

const titled = judgementsOf(OFFICERS, [
  [
    "title inside: after what a bank writes",
    "Payment received from Mr Harold Quorltitle",
    [person("Harold", "QUORLTITLE"), person("Harold John", "QUORLTITLE")],
    [person("Anna", "QUORLTITLE")],
  ],
  [
    "title inside: of a person whom others act for",
    "Fee paid on behalf of Mr Harold Quorlbehalf",
    [person("Harold", "QUORLBEHALF")],
  ],
  [
    "title inside: of an addressee who has honours",
    "For the attention of Mrs Jane Quorlfao OBE",
    [person("Jane", "QUORLFAO")],
  ],
  [
    "title inside: two people",
    "Mr J Quorlpair & Mrs A Quorlpair",
    [person("Anna", "QUORLPAIR"), person("John", "QUORLPAIR")],
    [person("Harold", "QUORLPAIR")],
  ],
  [
    "title inside: between surname and forenames",
    "Quorlmid Mr Harold Quorljohn",
    [person("Harold Quorljohn", "QUORLMID")],
    [person("Harold Abel", "QUORLJOHN")],
  ],
]);

const pairs = judgementsOf(OFFICERS, [
  [
    "two people: two whole names",
    "Davidquirl Quirlogun and Agnesquirl Quirlyoung",
    [
      person("Agnesquirl", "QUIRLYOUNG"),
      person("Davidquirl", "QUIRLOGUN", { active_count: 0, resigned_count: 1 }),
      person("Davidquirl", "QUIRLYOUNG", { active_count: 4 }),
    ],
  ],
  [
    "two people: the register has only one of them",
    "Garyquirl Quirlnowak & Zebquirl Quatermain",
    [person("Garyquirl", "QUIRLNOWAK")],
  ],
  [
    "two people: one surname",
    "Davidquirl and Agnesquirl Quirlone",
    [
      person("Agnesquirl", "QUIRLONE"),
      person("Davidquirl", "QUIRLONE"),
      person("Davidquirl John", "QUIRLONE"),
    ],
  ],
  [
    "two people: words of the other one in an address",
    "Robquirl Quirlgreen and Helenquirl Quirlgreen",
    [
      person("Helenquirl", "QUIRLGREEN", lives("Leeds")),
      person("Robquirl", "QUIRLGREEN"),
      person("Robquirl David", "QUIRLGREEN", lives("Tyne and Wear", undefined, "Quirlgreen Lane")),
      person("David Robquirl", "QUIRLGREEN", lives("Tyne and Wear", undefined, "Quirlgreen Lane")),
    ],
  ],
  [
    "two people: a town after them",
    "Robquirl Quirltown & Zebquirl Quatermain, Quornbeck",
    [
      person("Robquirl", "QUIRLTOWN", lives("Quornbeck")),
      person("Robquirl", "QUIRLTOWN", { active_count: 4 }),
    ],
  ],
]);

const besideOtherKinds = judgementsOf("/search", [
  [
    "two people: a name before longer ones of another kind",
    "Paulquirl Quirlsmith and Maryquirl Quirlsmith",
    [
      person("Paulquirl", "QUIRLSMITH", disqualified),
      person("Maryquirl", "QUIRLSMITH"),
      person("Paulquirl Edward", "QUIRLSMITH", disqualified),
      person("Ahmed Maryquirl", "QUIRLSMITH", disqualified),
    ],
  ],
]);

const towns = judgementsOf(OFFICERS, [
  [
    "town: of another address, no surname",
    "Janequorl Quorltown, Preston",
    [
      person("Janequorl", "QUORLTOWN", lives("Preston")),
      person("Janequorl", "QUORLTOWN", lives("Leeds")),
      person("Janequorl Mary", "QUORLTOWN", lives("Leeds")),
      person("Janequorl", "PRESTON"),
    ],
    [person("Anna", "QUORLTOWN", lives("Leeds"))],
  ],
  [
    "town: at the end of an address, no surname",
    "Janequorl Quorlstreet, 12 High Street, Preston",
    [person("Janequorl", "QUORLSTREET", lives("Leeds"))],
  ],
  [
    "town: a firm, whose last word is not a surname either",
    "Jane Quorlmorgan (Morgan Stanquorl)",
    [person("Jane", "QUORLMORGAN"), person("Jane Mary", "QUORLMORGAN"), person("Jane", "STANQUORL")],
  ],
  [
    "town: a surname of two words, after forenames",
    "Janequorla Mary,De Quorlsouza",
    [person("Janequorla Mary", "DE QUORLSOUZA"), person("Janequorla", "DE QUORLSOUZA")],
    [person("Anna", "DE QUORLSOUZA")],
  ],
  [
    "town: a forename, after a surname of two words",
    "Van Quorlder, Douglas",
    [person("Douglas", "VAN QUORLDER"), person("Douglas Al", "VAN QUORLDER")],
  ],
]);

const companies = judgementsOf(OFFICERS, [
  [
    "company: after OF",
    "Janequirl Quirlsby of Marnequirl Press Ltd",
    [person("Janequirl", "QUIRLSBY"), person("Janequirl Mary", "QUIRLSBY")],
    [person("Anna", "QUIRLSBY")],
  ],
  [
    "company: after AT",
    "Janequirl Quirlsfold at Marnequirl Press LLP, Leeds",
    [person("Janequirl", "QUIRLSFOLD")],
  ],
  [
    "company: after FROM",
    "Janequirl Quirlsgate (from Marnequirl Press Limited)",
    [person("Janequirl", "QUIRLSGATE")],
  ],
  [
    "company: before a name, with a colon",
    "Marnequirl Court Group Limited: Janequirl Quirlscolon",
    [person("Janequirl", "QUIRLSCOLON"), person("Janequirl Mary", "QUIRLSCOLON")],
    [person("Anna", "QUIRLSCOLON")],
  ],
  [
    "company: before a name, with brackets in its own",
    "Marnequirl United (Bath) Associates Limited: Janequirl Quirlsbracket",
    [person("Janequirl", "QUIRLSBRACKET")],
    [person("Anna", "QUIRLSBRACKET")],
  ],
  [
    "company: before a name, with a dash",
    "Marnequirl Court Group Ltd - Janequirl Quirlsdash",
    [person("Janequirl", "QUIRLSDASH")],
  ],
  [
    "company: before a name, in another cell",
    "Marnequirl Court Group Ltd\tJanequirl Quirlscell\tYeovil",
    [person("Janequirl", "QUIRLSCELL", lives("Yeovil")), person("Janequirl", "QUIRLSCELL", lives("Leeds"))],
  ],
  [
    "company: after a name, with nothing in between",
    "Janequirl Quirlsbare Marnequirl Court Group Ltd",
    [person("Janequirl", "QUIRLSBARE")],
    [person("Anna", "QUIRLSBARE")],
  ],
  [
    "company: after AT, without its ending",
    "Janequirl Quirlsopen at Marnequirl Great Court Group",
    [person("Janequirl", "QUIRLSOPEN")],
    [person("Anna", "QUIRLSOPEN")],
  ],
  [
    "name of birth: after PREVIOUSLY",
    "Janequirl Quirlsmoor previously Smithers",
    [person("Janequirl", "QUIRLSMOOR")],
    [person("Anna", "QUIRLSMOOR")],
  ],
]);

const nicknames = judgementsOf(OFFICERS, [
  [
    "nickname: in brackets after the forename",
    "Johnquirl (Jackquirl) Smithquirl",
    [person("Johnquirl Jackquirl", "SMITHQUIRL"), person("Johnquirl", "SMITHQUIRL")],
    [person("Jackquirl", "JOHNQUIRL")],
  ],
  [
    "nickname: before a further forename, after a title",
    "Mr Willquirl (Billquirl) Henry Smothquirl",
    [
      person("Willquirl Henry", "SMOTHQUIRL"),
      person("Willquirl", "SMOTHQUIRL"),
      person("Henry", "SMOTHQUIRL"),
    ],
  ],
  [
    "nickname: none after a surname alone",
    "Smethquirl (Johnquirl)",
    [person("Johnquirl", "SMETHQUIRL"), person("Johnquirl Mary", "SMETHQUIRL")],
  ],
]);

export const personDocumentJudgements = [
  ...behind,
  ...titled,
  ...pairs,
  ...besideOtherKinds,
  ...towns,
  ...companies,
  ...nicknames,
];
