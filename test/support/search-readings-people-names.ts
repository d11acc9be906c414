/** Judgements of people whose names are written in unusual ways: with a title or a month, initials, no spaces. */
import { born, judgementsOf, lives, OFFICERS, person } from "./search-order-judgement.ts";

const titles = judgementsOf(OFFICERS, [
  [
    "title: a forename that is also a title, before honours",
    "Dean Quorlesmith MBE",
    [
      person("Dean", "QUORLESMITH"),
      person("Dean Abel", "QUORLESMITH"),
      person("Anna", "QUORLESMITH", { active_count: 4 }),
    ],
  ],
  [
    "title: before a name with honours, when nobody has it as a forename",
    "Major Quorlesby OBE",
    [person("Anna", "QUORLESBY")],
  ],
]);

const initials = judgementsOf(OFFICERS, [
  [
    "initials: an initial of a forename that the register writes out, beside honours",
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
    "birth: orders namesakes, beside a nationality",
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
  [
    "birth: after a surname that ends like a label",
    "Jane Quorlosborn 1965",
    [
      person("Jane", "QUORLOSBORN", born("1965-03")),
      person("Jane", "QUORLOSBORN", { ...born("1970-03"), active_count: 4 }),
    ],
    [person("Jane", "QUORLOS", born("1965-03"))],
  ],
  [
    "birth: after initials that begin numbers of companies",
    "Quorlsmitt, RC 1955",
    [
      person("Robert Carl", "QUORLSMITT", born("1955-03")),
      person("Robert Carl", "QUORLSMITT", { ...born("1970-03"), active_count: 4 }),
    ],
    [person("Anna", "QUORLSMITT", born("1955-03"))],
  ],
  [
    "birth: after a surname that begins numbers of companies",
    "Quorlamy So 1972",
    [
      person("Quorlamy", "SO", born("1972-03")),
      person("Quorlamy", "SO", { ...born("1970-03"), active_count: 4 }),
    ],
  ],
  [
    "birth: after a short forename",
    "Quorlnimby, Reg 1936",
    [
      person("Reg", "QUORLNIMBY", born("1936-03")),
      person("Reg", "QUORLNIMBY", { ...born("1970-03"), active_count: 4 }),
    ],
  ],
]);

const inOrder = judgementsOf(OFFICERS, [
  [
    "initials in order: with spaces",
    "Z A Vexlorn",
    [person("Zoe Anne", "VEXLORN"), person("Anne Zoe", "VEXLORN", { active_count: 4 })],
  ],
  [
    "initials in order: with dots",
    "Z.A. Vexlarn",
    [person("Zoe Anne", "VEXLARN"), person("Anne Zoe", "VEXLARN", { active_count: 4 })],
  ],
  [
    "initials in order: after a comma",
    "Vexlirn, Z A",
    [person("Zoe Anne", "VEXLIRN"), person("Anne Zoe", "VEXLIRN", { active_count: 4 })],
  ],
  [
    "initials in order: one alone",
    "J Vextorn",
    [person("John Andrew", "VEXTORN"), person("Andrew John", "VEXTORN", { active_count: 4 })],
    [person("Andrew", "VEXTORN")],
  ],
  [
    "initials in order: one, beside a town",
    "J Vextarn, Yeovil",
    [
      person("John Andrew", "VEXTARN", lives("Yeovil")),
      person("Andrew John", "VEXTARN", { ...lives("Yeovil"), active_count: 4 }),
    ],
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
    "joined: with a short former name",
    "janequox",
    [person("Jane", "YOXLEY", { former_names: [{ surname: "QUOX" }] })],
  ],
  [
    "joined: the same as a surname, a forename or a beginning comes first",
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
    "month: a surname that is also a month, before a year",
    "Theresaline May 1956",
    [
      person("Theresaline Mary", "MAY", born("1956-10")),
      person("Theresaline", "ABNEYQUORN", { ...born("1956-05"), active_count: 3 }),
      person("Theresaline", "CRUMBQUORN", { ...born("1971-05"), active_count: 3 }),
    ],
  ],
  [
    "month: a forename that is also a month, after a comma",
    "Quorlejan, Jan 1970",
    [
      person("Jan", "QUORLEJAN", born("1970-06")),
      person("Abel", "QUORLEJAN", { ...born("1970-01"), active_count: 3 }),
      person("Brian", "QUORLEJAN", { ...born("1970-06"), active_count: 4 }),
    ],
  ],
  [
    "month: one that is nobody's name, beside a surname",
    "Quorlemarch Mar 1970",
    [
      person("Abel", "QUORLEMARCH", born("1970-03")),
      person("Mark", "QUORLEMARCH", { ...born("1970-08"), active_count: 3 }),
    ],
  ],
  ["month: beside a forename that is a title", "Dean May 1855", [person("Dean", "MAY", born("1855-02"))]],
]);

const surnames = judgementsOf(OFFICERS, [
  [
    "surname: of three words, before a town",
    "Janquorl van der Quorlberg Yeovil",
    [person("Janquorl", "VAN DER QUORLBERG"), person("Janquorl Mary", "VAN DER QUORLBERG")],
    [person("Anna", "VAN DER QUORLBERG")],
  ],
  [
    "surname: of three words, before a town of two",
    "Janquorl van der Quorlborg St Albans",
    [person("Janquorl", "VAN DER QUORLBORG")],
  ],
  [
    "surname: with a hyphen, before a town",
    "Janquorl Quorlsmeth-Quorljenes Yeovil",
    [person("Janquorl Mary", "QUORLSMETH-QUORLJENES")],
  ],
  [
    "surname: of two letters that are an honour, after a title",
    "Mr Weiquorl Ma 1985",
    [
      person("Weiquorl", "MA", born("1985-03")),
      person("Anna", "WEIQUORL", born("1985-03")),
      person("Weiquorl", "MA", { ...born("1970-03"), active_count: 4 }),
    ],
  ],
  [
    "surname: of two letters that are an honour, after two forenames",
    "Weiquarl Jun Ma 1985",
    [person("Weiquarl Jun", "MA", born("1985-03")), person("Weiquarl", "JUN", born("1985-03"))],
  ],
  [
    "surname: of two letters that are an honour, before a comma",
    "Ba, Oumarquorl 1985",
    [person("Oumarquorl", "BA", born("1985-03"))],
    [person("Annaquorl", "BA", born("1985-03"))],
  ],
  [
    "surname: of two letters that are an honour, after a title and before a comma",
    "Mr Om, Kevquorl 1985",
    [person("Kevquorl", "OM", born("1985-03"))],
    [person("Annaquorl", "OM", born("1985-03"))],
  ],
  [
    "surname: before forenames that end like a company",
    "Kimquorl, Min Se, born 1985",
    [person("Min Se", "KIMQUORL", born("1985-03"))],
    [person("Anna", "KIMQUORL", born("1985-03"))],
  ],
]);

export const personNameJudgements = [
  ...titles,
  ...initials,
  ...inOrder,
  ...posts,
  ...births,
  ...joined,
  ...traders,
  ...aliases,
  ...months,
  ...surnames,
];
