/** Owns judgements of people whose names others write in unusual ways: a title or a month in them, initials, no spaces. */
import { born, judgementsOf, OFFICERS, person } from "./search-order-judgement.ts";

const titles = judgementsOf(OFFICERS, [
  [
    "title: a forename that is one as well, before honours",
    "Dean Quorlesmith MBE",
    [
      person("Dean", "QUORLESMITH"),
      person("Dean Abel", "QUORLESMITH"),
      person("Anna", "QUORLESMITH", { active_count: 4 }),
    ],
  ],
  [
    "title: of somebody who has honours, where nobody has that forename",
    "Major Quorlesby OBE",
    [person("Anna", "QUORLESBY")],
  ],
]);

const initials = judgementsOf(OFFICERS, [
  [
    "initials: one that the register writes out, beside honours",
    "John M Quorlane MBE",
    [person("John Mark", "QUORLANE"), person("John", "QUORLANE", { active_count: 4 })],
  ],
  [
    "initials: run together, beside honours",
    "JM Quorlathe MBE",
    [person("John Mark", "QUORLATHE"), person("J", "QUORLATHE", { active_count: 4 })],
  ],
]);

const posts = judgementsOf(OFFICERS, [
  [
    "post: between dashes, and a company",
    "Harold Quorlenby - Managing Director - Yeovil Vexlow Ltd",
    [person("Harold", "QUORLENBY"), person("Harold John", "QUORLENBY")],
  ],
  [
    "post: of two words",
    "Harold Quorlinby, Company Secretary",
    [person("Harold", "QUORLINBY"), person("Harold John", "QUORLINBY")],
  ],
]);

const births = judgementsOf(OFFICERS, [
  [
    "birth: settles the person where the nationality is said, too",
    "Harold Quorlunby, British, born March 1970",
    [
      person("Harold John", "QUORLUNBY", born("1970-03")),
      person("Harold", "QUORLUNBY", { ...born("1981-05"), active_count: 4 }),
    ],
  ],
  [
    "birth: beside a surname of two words before a comma",
    "VAN QUORLEX, Prof. Ruth E, born 1970",
    [person("Ruth Elaine", "VAN QUORLEX", born("1970-03")), person("Quorlex", "VAN", born("1970-03"))],
  ],
]);

const joined = judgementsOf(OFFICERS, [
  [
    "joined: all of a name without spaces",
    "JaneQuorleby",
    [person("Jane", "QUORLEBY"), person("Jane", "YOXLEY", { former_names: [{ surname: "QUORLEBY" }] })],
    [person("Jane", "QUORLEN")],
  ],
  ["joined: the surname first", "quorlebanejane", [person("Jane", "QUORLEBANE")]],
  [
    "joined: a former name, briefly",
    "janequox",
    [person("Jane", "YOXLEY", { former_names: [{ surname: "QUOX" }] })],
  ],
  [
    "joined: a surname, a forename and names that begin so come before it",
    "quorleann",
    [
      person("Zoe", "QUORLEANN"),
      person("Quorleann", "YOXLEY"),
      person("Zoe", "QUORLEANNS"),
      person("Quorle", "ANN"),
    ],
  ],
  ["joined: with dots, in a mail address", "jane.quorlemail@quillory.com", [person("Jane", "QUORLEMAIL")]],
]);

const traders = judgementsOf(OFFICERS, [
  ["trader: her trading name", "Jane Quorletrade T/A The Book Nook", [person("Jane", "QUORLETRADE")]],
  [
    "trader: his trading name with his own, and a town",
    "Mr John Quorletrell trading as Quorletrell Plumbing, Leeds",
    [person("John", "QUORLETRELL")],
  ],
]);

const aliases = judgementsOf(OFFICERS, [
  [
    "alias: before a word that may be a part of the name",
    "Jane Quorlaka aka Smithers",
    [person("Jane", "QUORLAKA")],
  ],
  [
    "alias: a name with a further forename comes before the other surname",
    "Jane Quorlakan aka Smitherlak",
    [person("Jane Mary", "QUORLAKAN"), person("Jane", "SMITHERLAK", { active_count: 0, resigned_count: 1 })],
  ],
  [
    "alias: the whole name comes first",
    "Kofi Quorlensah Aka Boateng",
    [
      person("Kofi", "QUORLENSAH AKA BOATENG"),
      person("Kofi Quorlensah Aka", "BOATENG", { active_count: 0, resigned_count: 1 }),
    ],
  ],
]);

const months = judgementsOf(OFFICERS, [
  [
    "month: a surname that is one as well, before a year",
    "Theresaline May 1956",
    [
      person("Theresaline Mary", "MAY", born("1956-10")),
      person("Theresaline", "ABNEYQUORN", { ...born("1956-05"), active_count: 3 }),
      person("Theresaline", "CRUMBQUORN", { ...born("1971-05"), active_count: 3 }),
    ],
  ],
  [
    "month: a forename that is one as well, behind a comma",
    "Quorlejan, Jan 1970",
    [
      person("Jan", "QUORLEJAN", born("1970-06")),
      person("Abel", "QUORLEJAN", { ...born("1970-01"), active_count: 3 }),
      person("Brian", "QUORLEJAN", { ...born("1970-06"), active_count: 4 }),
    ],
  ],
  [
    "month: nobody's name, beside a surname",
    "Quorlemarch Mar 1970",
    [
      person("Abel", "QUORLEMARCH", born("1970-03")),
      person("Mark", "QUORLEMARCH", { ...born("1970-08"), active_count: 3 }),
    ],
  ],
  ["month: beside a forename that is a title", "Dean May 1855", [person("Dean", "MAY", born("1855-02"))]],
]);

const behind = judgementsOf(OFFICERS, [
  [
    "behind a name: her post, which has no name of its own",
    "Jane Quorlpost, Finance Director",
    [person("Jane", "QUORLPOST"), person("Jane Mary", "QUORLPOST")],
    [person("Anna", "QUORLPOST"), person("Mary Jane", "QUORLPOST")],
  ],
  [
    "behind a name: a firm after a dash",
    "Jane Quorldash - Quillory Press",
    [person("Jane Mary", "QUORLDASH")],
    [person("Anna", "QUORLDASH")],
  ],
  [
    "behind a name: a firm in brackets",
    "Jane Quorlbrack (Quillory Press)",
    [person("Jane Mary", "QUORLBRACK")],
  ],
  [
    "behind a name: a long name of a firm",
    "Jane Quorlfirm (Quillory Village Hall Trust)",
    [person("Jane", "QUORLFIRM"), person("Jane Mary", "QUORLFIRM")],
  ],
  [
    "behind a name: a long post",
    "Jane Quorlhead, Head of Group Sales",
    [person("Jane", "QUORLHEAD"), person("Jane Mary", "QUORLHEAD")],
  ],
  [
    "behind a name: forenames, where it is a surname of two words",
    "Quorlvane Quorlbeck, Imogen Mary",
    [person("Imogen Mary", "QUORLVANE-QUORLBECK"), person("Imogen", "QUORLVANE QUORLBECK")],
    [person("Anna", "QUORLVANE-QUORLBECK")],
  ],
  [
    "behind a name: one word, which may be a forename",
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
]);

const titled = judgementsOf(OFFICERS, [
  [
    "title inside: behind what a bank writes",
    "Payment received from Mr Harold Quorltitle",
    [person("Harold", "QUORLTITLE"), person("Harold John", "QUORLTITLE")],
    [person("Anna", "QUORLTITLE")],
  ],
  [
    "title inside: of whom others act for",
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

export const personNameJudgements = [
  ...titles,
  ...initials,
  ...posts,
  ...births,
  ...joined,
  ...traders,
  ...aliases,
  ...months,
  ...behind,
  ...titled,
];
