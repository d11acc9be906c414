/** Further judgements of officers: people and corporate bodies. */
import { body, judgementsOf, OFFICERS, person } from "./search-order-judgement.ts";

const retired = { active_count: 0, resigned_count: 3 };

const surnames = judgementsOf(OFFICERS, [
  [
    "surname: hyphen, space or nothing inside it",
    "Fiona Mac-Allendale",
    [
      person("Fiona", "MACALLENDALE"),
      person("Fiona", "MAC ALLENDALE", retired),
      person("Fiona Rose", "MAC-ALLENDALE"),
    ],
    [person("Fiona", "ALLENDALE")],
  ],
  [
    "surname: a double one by either half, in either order",
    "Ida Tealmarsh Ashgrove",
    [person("Ida", "TEALMARSH-ASHGROVE", retired), person("Ida", "ASHGROVE TEALMARSH")],
    [person("Ida", "TEALMARSH")],
  ],
  [
    "surname: of three words, first",
    "van der Quillan Joost",
    [person("Joost", "VAN DER QUILLAN"), person("Joost Pieter", "VANDERQUILLAN")],
    [person("Joost", "QUILLAN")],
  ],
  [
    "surname: first the current one, then a former one, half of a double one, a forename",
    "Brackenwith",
    [
      person("Adam", "BRACKENWITH", retired),
      person("Adam", "YEO", { former_names: [{ surname: "BRACKENWITH" }] }),
      person("Adam", "BRACKENWITH-YEO"),
      person("Brackenwith", "YEO"),
      person("Adam", "BRACKENWITHY"),
    ],
  ],
  [
    "surname: apostrophe, curly, missing or a space",
    "Sean O’Brannockly",
    [
      person("Seán", "O'BRANNOCKLY"),
      person("Sean", "O BRANNOCKLY", retired),
      person("Sean Pat", "OBRANNOCKLY"),
    ],
  ],
]);

const forenames = judgementsOf(OFFICERS, [
  [
    "given-name: the first, then another, then one that begins with it",
    "James Longstrand",
    [
      person("James", "LONGSTRAND", retired),
      person("James Paul", "LONGSTRAND", retired),
      person("Paul James", "LONGSTRAND"),
      person("Jamesina", "LONGSTRAND"),
    ],
    [person("Paul", "LONGSTRAND")],
  ],
  [
    "given-name: dotted initials",
    "P.J. Longacreby",
    [person("Paul James", "LONGACREBY"), person("Penelope Jane Ruth", "LONGACREBY")],
    [person("Paul", "LONGACREBY"), person("Paul Andrew", "LONGACREBY")],
  ],
  [
    "given-name: a hyphen, a space or nothing in it",
    "Anne Marie Dovestone",
    [
      person("Annemarie", "DOVESTONE"),
      person("Anne-Marie", "DOVESTONE", { active_count: 0, resigned_count: 1 }),
      person("Anne Lucy Marie", "DOVESTONE"),
      person("Marie Anne", "DOVESTONE"),
    ],
    [person("Anne", "DOVESTONE")],
  ],
  [
    "given-name: with a hyphen it is one name, and people with fewer names come first",
    "kestrelbyrne",
    [
      person("Zoe-Marie", "KESTRELBYRNE"),
      person("Abe Bart", "KESTRELBYRNE"),
      person("Zoe Marie", "KESTRELBYRNE"),
      person("Abe Bart Cato", "KESTRELBYRNE"),
    ],
  ],
  [
    "given-name: one of those in the register may be missing",
    "Otto Wilfreth Sandgable",
    [person("Otto Karl Wilfreth", "SANDGABLE")],
    [person("Otto Karl", "SANDGABLE")],
  ],
  [
    "given-name: typed alone, a later one comes before a first one",
    "Perpetuala",
    [
      person("Ann Perpetuala", "MUSKHAM", retired),
      person("Perpetuala", "MUSKHAM"),
      person("Perpetualan", "MUSKHAM"),
    ],
  ],
]);

const shortForms = judgementsOf(OFFICERS, [
  [
    "short-form: after names that begin with it, before names with a slip",
    "Tony Quarlsblair",
    [
      person("Tony", "QUARLSBLAIR", retired),
      person("Tony Charles", "QUARLSBLAIR", retired),
      person("Tonya", "QUARLSBLAIR", retired),
      person("Anthony", "QUARLSBLAIR"),
      person("Anthony Charles", "QUARLSBLAIR", retired),
      person("Tonny", "QUARLSBLAIR", retired),
    ],
    [person("Antonia", "QUARLSBLAIR")],
  ],
  [
    "short-form: one that nobody has, after the surname",
    "Quarlsmere Bob",
    [person("Robert John", "QUARLSMERE")],
    [person("John", "QUARLSMERE")],
  ],
  [
    "short-form: in the register, beside an initial",
    "William J Quarlsford",
    [person("Bill John", "QUARLSFORD")],
    [person("Bill Mark", "QUARLSFORD")],
  ],
]);

const others = judgementsOf(OFFICERS, [
  [
    "order: surname first without a comma",
    "Ravensmoor Tobias",
    [person("Tobias", "RAVENSMOOR", retired), person("Tobias Lee", "RAVENSMOOR")],
  ],
  [
    "order: a comma says which is the surname",
    "Ravensley, Gideon",
    [person("Gideon", "RAVENSLEY", retired), person("Ravensley", "GIDEON")],
  ],
  [
    "order: surname, forenames, title",
    "RAVENSHALL, Tobias Lee, Sir",
    [person("Tobias Lee", "RAVENSHALL")],
    [person("Tobias", "RAVENSHALL")],
  ],
  [
    "title: several, with dots",
    "Rev. Dr. Ottoline Marshgate",
    [person("Ottoline", "MARSHGATE"), person("Ottoline Drusilla", "MARSHGATE")],
    [person("Drusilla", "MARSHGATE")],
  ],
  [
    "title: several, one of a peer",
    "The Rt Hon Baroness Evadne Marshgrove",
    [person("Evadne", "MARSHGROVE"), person("Evadne Ruth", "MARSHGROVE")],
    [person("Evan", "MARSHGROVE")],
  ],
  [
    "title: after the name, as lists have it",
    "Marshgreen Evadne Mrs",
    [person("Evadne", "MARSHGREEN"), person("Evadne Ruth", "MARSHGREEN")],
  ],
  [
    "title: alone before a surname",
    "Lord Wexholme",
    [person("Ada", "WEXHOLME"), person("Ada Lord", "WEXHOLME")],
  ],
  [
    "former-name: of a married person, after the same current name, before all weaker matches",
    "Petra Longmirely",
    [
      person("Petra", "LONGMIRELY", retired),
      person("Petra Ann", "LONGMIRELY", retired),
      person("Petra", "HOLLISTON", { former_names: [{ surname: "LONGMIRELY" }] }),
      person("Petra", "LONGMIRELY-HOLLISTON"),
    ],
  ],
  [
    "former-name: of a forename, with the present surname",
    "Petronella Hollowick",
    [person("Petra", "HOLLOWICK", { former_names: [{ forenames: "Petronella" }] })],
    [person("Petra", "HOLLOWICK")],
  ],
  [
    "former-name: one of several, with other forenames",
    "Nell Carradice-Bowe",
    [
      person("Eleanor", "STOATS", {
        former_names: [{ surname: "PIKE" }, { forenames: "Nell", surname: "CARRADICE BOWE" }],
      }),
    ],
    [person("Nell", "STOATS")],
  ],
  [
    "accents: in both names",
    "renee cote marchmain",
    [person("Renée", "CÔTÉ-MARCHMAIN"), person("Renée Zoë", "COTE MARCHMAIN")],
  ],
  [
    "status: active posts order equals only",
    "Cuthbert Ellerwane",
    [
      person("Cuthbert", "ELLERWANE", retired),
      person("Cuthbert Al", "ELLERWANE", { active_count: 7 }),
      person("Cuthbert Al", "ELLERWANE", retired),
    ],
  ],
  [
    "status: more active posts, then the name",
    "ellermaine",
    [
      person("Zadok", "ELLERMAINE", { active_count: 5 }),
      person("Abel", "ELLERMAINE"),
      person("Bede", "ELLERMAINE"),
      person("Aaron Bede", "ELLERMAINE", { active_count: 9 }),
    ],
  ],
  [
    "corporate: endings make no difference, longer names follow",
    "fenwright nominees limited",
    [
      body("FENWRIGHT NOMINEES LTD", { active_count: 3 }),
      body("FENWRIGHT NOMINEES PLC"),
      body("FENWRIGHT NOMINEES (NO 2) LIMITED"),
      body("FENWRIGHT OLD NOMINEES LTD"),
    ],
    [body("FENWRIGHT LTD")],
  ],
  [
    "corporate: initials and signs",
    "j & k r. s. directorates",
    [body("J AND K RS DIRECTORATES LLP"), body("J&K R.S. DIRECTORATES TWO LTD")],
  ],
  ["corporate: a slip", "morwenstowe secretarys ltd", [body("MORWENSTOWE SECRETARIES LIMITED")]],
  [
    "typo: the first letter of the surname",
    "Hector Pradwardine",
    [person("Hector", "BRADWARDINE"), person("Hector", "BRADWARDYNE")],
    [person("Hector", "BRODY")],
  ],
  [
    "typo: beside an initial",
    "Hector B Pradwordine",
    [person("Hector Bram", "PRADWORTINE"), person("Hector Bram", "BRADWORTINE")],
    [person("Hector Cato", "PRADWORTINE")],
  ],
  [
    "typo: letters swapped in both names",
    "Sliverio Wetsmacott",
    [person("Silverio", "WESTMACOTT")],
    [person("Silverio", "WESTON")],
  ],
  [
    "typo: of equally near names the active officer comes first, shorter or not",
    "Gideon Haldanstone",
    [person("Gideon", "HALDANSTON"), person("Gideon", "HALDANSTOUNE", retired)],
  ],
]);

export const personJudgements = [...surnames, ...forenames, ...shortForms, ...others];
