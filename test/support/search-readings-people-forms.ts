/** Judgements of people whose names come from a form, a mailbox or a ledger: labelled, without spaces, abbreviated. */
import {
  born,
  DISQUALIFIED,
  disqualified,
  judgementsOf,
  lives,
  OFFICERS,
  person,
} from "./search-order-judgement.ts";

const fourPosts = { active_count: 4 };

const forms = judgementsOf(OFFICERS, [
  [
    "form: the surname first",
    "Surname: Quaynolds Forename: Kirsty",
    [
      person("Kirsty", "QUAYNOLDS"),
      person("Kirsty Ann", "QUAYNOLDS"),
      person("Quaynolds", "KIRSTY", fourPosts),
    ],
    [person("Anna", "QUAYNOLDS")],
  ],
  [
    "form: the forename first",
    "Forename: Kirsty Surname: Quaylands",
    [person("Kirsty", "QUAYLANDS"), person("Quaylands", "KIRSTY", fourPosts)],
  ],
  ["form: of two lines", "First name: Kirsty\nLast name: Quaymond", [person("Kirsty", "QUAYMOND")]],
  [
    "form: with a family name of two words",
    "Given name(s): Kirsty Ann; Family name: van Quayberg",
    [person("Kirsty Ann", "VAN QUAYBERG"), person("Kirsty Ann Van", "QUAYBERG", fourPosts)],
  ],
  [
    "form: with a title and a middle name",
    "Title: Ms\nFirst name: Kirsty\nMiddle name(s): Maude\nSurname: Quaylow",
    [person("Kirsty Maude", "QUAYLOW")],
  ],
  [
    "form: without a middle name",
    "First name: Kirsty Middle name: N/A Last name: Quaycote",
    [person("Kirsty", "QUAYCOTE")],
  ],
  [
    "form: the surname alone",
    "Surname: Quaythorn",
    [person("Zoe", "QUAYTHORN"), person("Quaythorn", "ABELARD")],
  ],
  ["form: without colons", "Surname Quayworth Forename Kirsty", [person("Kirsty", "QUAYWORTH")]],
  ["form: the surname alone, without a colon", "surname quaysmith", [person("Kirsty", "QUAYSMITH")]],
  [
    "form: cells below their labels",
    "Surname\tFirst name\nQuaystead\tKirsty",
    [person("Kirsty", "QUAYSTEAD")],
  ],
  [
    "form: a slip in a labelled surname",
    "Surname: Quaysforde Forename: Solveig",
    [person("Solveig", "QUAYSFORD"), person("Quaysford", "SOLVEIG", fourPosts)],
  ],
  ["form: a short form", "First name: Tony Last name: Quayblair", [person("Anthony", "QUAYBLAIR")]],
  [
    "form: with a date of birth",
    "Surname: Quaybourn Forename: Kirsty Date of birth: 12/03/1970",
    [
      person("Kirsty", "QUAYBOURN", born("1970-03")),
      person("Kirsty", "QUAYBOURN", { ...born("1981-05"), ...fourPosts }),
    ],
  ],
  [
    "form: with an address and facts that the register does not have",
    "First name: Kirsty\nLast name: Quaymarsh\nNationality: British\nOccupation: Farmer\nAddress: 12 High Street, Yeovil",
    [
      person("Kirsty", "QUAYMARSH", lives("Yeovil")),
      person("Kirsty", "QUAYMARSH", { ...lives("Leeds"), ...fourPosts }),
    ],
  ],
  [
    "form: with a name of birth",
    "First name: Kirsty Surname: Quayfield Maiden name: Quaygate",
    [person("Kirsty", "QUAYFIELD"), person("Kirsty", "QUAYGATE")],
  ],
]);

const otherKinds = [
  ...judgementsOf("/search", [
    ["form: among all kinds", "Surname: Quayhurst Forename: Kirsty", [person("Kirsty", "QUAYHURST")]],
  ]),
  ...judgementsOf(DISQUALIFIED, [
    [
      "form: of the disqualified",
      "Surname: Quayham Forename: Kirsty",
      [person("Kirsty", "QUAYHAM", disqualified)],
    ],
  ]),
];

const doubleSurnames = judgementsOf(OFFICERS, [
  [
    "short-form: half of a double surname",
    "Pippa Quaybligh",
    [person("Philippa", "FEATHERQUAY-QUAYBLIGH"), person("Philippa Ann", "FEATHERQUAY QUAYBLIGH")],
    [person("Anna", "FEATHERQUAY-QUAYBLIGH")],
  ],
  [
    "short-form: the first half of a double surname",
    "Pippa Featherquist",
    [person("Philippa", "FEATHERQUIST-BLIGH")],
  ],
  [
    "short-form: half of a double surname after the whole one",
    "Pippa Quayblyth",
    [person("Philippa", "QUAYBLYTH")],
  ],
  [
    "short-form: half of a double surname, beside honours",
    "Pippa Quayblight OBE",
    [person("Philippa", "FEATHERQUAY-QUAYBLIGHT")],
  ],
]);

const abbreviations = judgementsOf(OFFICERS, [
  [
    "abbreviation: of a name with several spellings, after people called just that",
    "Md Quaykhan",
    [
      person("Md", "QUAYKHAN", { active_count: 0, resigned_count: 1 }),
      person("Mohammed", "QUAYKHAN"),
      person("Muhammad Ali", "QUAYKHAN"),
    ],
    [person("Mark", "QUAYKHAN")],
  ],
  ["abbreviation: Mohd", "Mohd Quaykhar", [person("Mohamed", "QUAYKHAR")]],
  [
    "abbreviation: Wm",
    "Wm. J Quayson",
    [person("William John", "QUAYSON")],
    [person("William Mark", "QUAYSON")],
  ],
  ["abbreviation: Thos", "Quayton, Thos", [person("Thomas", "QUAYTON")]],
  ["abbreviation: Jas", "Jas Quaydale", [person("James", "QUAYDALE")]],
  ["abbreviation: Robt", "Robt Quaydell", [person("Robert", "QUAYDELL")]],
  ["abbreviation: Margt", "Margt Quaydene", [person("Margaret", "QUAYDENE")]],
  ["abbreviation: Fredk", "Fredk Quaydown", [person("Frederick", "QUAYDOWN")]],
  ["abbreviation: a beginning", "Jos Quaymere", [person("Joseph", "QUAYMERE")]],
  ["abbreviation: beside honours", "Wm Quaymoor OBE", [person("William", "QUAYMOOR")]],
]);

const glued = judgementsOf(OFFICERS, [
  [
    "joined: capitals show the words, and a middle name is between them",
    "KirstyQuayglue",
    [person("Kirsty Ann", "QUAYGLUE")],
    [person("Anna", "QUAYGLUE")],
  ],
  ["joined: capitals in a surname", "JohnMcQuayle", [person("John Paul", "MCQUAYLE")]],
  ["joined: in a handle", "@KirstyQuayhand", [person("Kirsty Ann", "QUAYHAND")]],
  [
    "joined: a surname with capitals",
    "McQuayton",
    [person("Anna", "MCQUAYTON"), person("Mc", "QUAYTON", fourPosts)],
    [person("Mc Anna", "QUAYTON")],
  ],
  [
    "joined: a middle name is between the words",
    "kirstyquayjoin",
    [person("Kirsty Ann", "QUAYJOIN"), person("Quayjoin Ann", "KIRSTY")],
    [person("Ann Kirsty", "QUAYJOIN")],
  ],
  ["joined: surname first, and a middle name", "quaytwistkirsty", [person("Kirsty Ann", "QUAYTWIST")]],
  ["joined: of a mailbox, and a middle name", "kirstyquaypost@gmail.com", [person("Kirsty Ann", "QUAYPOST")]],
  ["joined: with an underscore", "kirsty_quayline", [person("Kirsty Ann", "QUAYLINE")]],
  ["joined: with dots", "kirsty.quaydot", [person("Kirsty Ann", "QUAYDOT")]],
  [
    "joined: with dots before a mail address",
    "kirsty.quaymail@gmail.com",
    [person("Kirsty Ann", "QUAYMAIL")],
  ],
  ["joined: all of a mailbox", "kirstyquaybox@gmail.com", [person("Kirsty", "QUAYBOX")]],
  ["joined: of a mailbox with a number", "kirsty.quaynum70@gmail.com", [person("Kirsty Ann", "QUAYNUM")]],
]);

export const personFormJudgements = [...forms, ...otherKinds, ...doubleSurnames, ...abbreviations, ...glued];
