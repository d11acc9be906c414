/** Judgements of people as others write their names: with surplus forenames, honours, a birth date, a place, slips. */
import {
  body,
  born,
  CONTROLLING,
  DISQUALIFIED,
  disqualified,
  expired,
  judgementsOf,
  lives,
  OFFICERS,
  person,
} from "./search-order-judgement.ts";

const HERE = lives("Yeovil", "QZ7 1AA");
const ELSEWHERE = lives("Quornbeck", "QB8 8QD");
const LANE = lives("Quornbeck", "QB9 4ZT", "6 Wexlark Row");
const controls = { controls: "89000099" };

const forenames = judgementsOf(OFFICERS, [
  [
    "surplus forename: in the middle",
    "Harold Jocelyn Vintrasse",
    [person("Harold J", "VINTRASSE"), person("Harold", "VINTRASSE")],
    [person("Harold", "VINE")],
  ],
  [
    "surplus forename: surname first, with a comma",
    "PULLOVARNE, Rosalind Claudia",
    [person("Rosalind", "PULLOVARNE"), person("Pullovarne", "ROSALIND")],
  ],
  [
    "surplus forename: a comma says which is the surname",
    "PUXTERLANE, Rosina Claudine",
    [person("Rosina", "PUXTERLANE"), person("Rosina", "CLAUDINE")],
  ],
  ["surplus forename: several", "Basil Edmund Crispin Ormandroyle", [person("Basil", "ORMANDROYLE")]],
  [
    "surplus initial",
    "Odette K Brannivaux",
    [person("Odette Kay", "BRANNIVAUX"), person("Odette", "BRANNIVAUX")],
  ],
  [
    "surplus initial: one word of a name does not answer two",
    "Matthew M Noxbrandt",
    [person("Matthew Michael", "NOXBRANDT"), person("Matthew", "NOXBRANDT")],
    [person("Matthew Anne", "NOXBRANDT")],
  ],
  [
    "surplus forename: without a comma the last word is the surname",
    "Bertravane Yolande Aspentrude",
    [person("Bertravane", "ASPENTRUDE"), person("Yolande", "BERTRAVANE")],
  ],
  [
    "initials run together",
    "HJ Marquebeck",
    [person("Harold John", "MARQUEBECK"), person("Hugh James Karl", "MARQUEBECK")],
    [person("Harold Peter", "MARQUEBECK"), person("John", "MARQUEBECK")],
  ],
  ["initials run together: surname first", "Morquillane, PT", [person("Paul Trevor", "MORQUILLANE")]],
  [
    "initials run together: before a forename that begins so",
    "ST Murbeckle",
    [person("Silas Tobias", "MURBECKLE"), person("Stella", "MURBECKLE", { active_count: 3 })],
  ],
]);

const honours = judgementsOf(OFFICERS, [
  [
    "honours: her post, beside a company",
    "Jane Vornquist | CEO | Quillory Ltd",
    [person("Jane", "VORNQUIST")],
  ],
  ["honours: after the name", "Ignatius Corvandel OBE", [person("Ignatius", "CORVANDEL")]],
  ["honours: dotted, after a comma", "Ingeborg Corvusdale, O.B.E.", [person("Ingeborg", "CORVUSDALE")]],
  ["honours: a title and degrees", "Dr Emmeline Dorquist PhD FRCS", [person("Emmeline", "DORQUIST")]],
  ["honours: a knight", "Sir Lambert Erquhane KCB", [person("Lambert", "ERQUHANE")]],
  ["honours: beside a surplus forename", "Prof. Leopold Xaver Eskmuth CBE", [person("Leopold", "ESKMUTH")]],
  ["honours: an office", "Wilhelmina Rostrevane, Director", [person("Wilhelmina", "ROSTREVANE")]],
  ["honours: after a surname", "Vundermeath OBE", [person("Zora", "VUNDERMEATH")]],
  ["honours: initials and a title", "Dr HJ Varnebrook PhD", [person("Hilda Jane", "VARNEBROOK")]],
  ["honours: a couple", "Mr & Mrs Wrenquist", [person("Aurel", "WRENQUIST"), person("Berta", "WRENQUIST")]],
  [
    "honours: two letters are a surname",
    "Wendolyn Ma",
    [person("Wendolyn", "MA")],
    [person("Zora", "WENDOLYN")],
  ],
  ["honours: Junior", "Yorick Umbrevale Jr", [person("Yorick", "UMBREVALE")]],
]);

const births = judgementsOf(OFFICERS, [
  [
    "birth: of namesakes, the one with this month and year comes first, then with this year",
    "Fenella Garrowisk born March 1970",
    [
      person("Fenella", "GARROWISK", born("1970-03")),
      person("Fenella", "GARROWISK", { ...born("1970-08"), active_count: 2 }),
      person("Fenella", "GARROWISK", { ...born("1961-03"), active_count: 3 }),
    ],
  ],
  [
    "birth: the year alone",
    "Gideon Hurlvane 1962",
    [
      person("Gideon", "HURLVANE", born("1962-05")),
      person("Gideon", "HURLVANE", { ...born("1926-05"), active_count: 2 }),
    ],
  ],
  [
    "birth: beside a surname alone",
    "Halvarquist 1962",
    [
      person("Zeno", "HALVARQUIST", born("1962-05")),
      person("Adela", "HALVARQUIST", { ...born("1926-05"), active_count: 2 }),
    ],
  ],
  [
    "birth: a day in numbers",
    "Greta Hexaldy (dob 12/03/1970)",
    [
      person("Greta", "HEXALDY", born("1970-03")),
      person("Greta", "HEXALDY", { ...born("1970-12"), active_count: 2 }),
    ],
  ],
  [
    "birth: with a year of two digits",
    "Greta Hexborrow DOB 12/03/70",
    [
      person("Greta", "HEXBORROW", born("1970-03")),
      person("Greta", "HEXBORROW", { ...born("1970-12"), active_count: 2 }),
    ],
  ],
  [
    "birth: a date that cannot be read hides nobody",
    "Greta Hexlittow 99/99/70",
    [person("Greta", "HEXLITTOW")],
  ],
  [
    "surname: a title before a comma",
    "Bishop, Hexandrine",
    [person("Hexandrine", "BISHOP")],
    [person("Hexandrine", "HEXWOLD")],
  ],
  [
    "birth: another birth date hides nobody",
    "Gunther Hoxelbeam b. 1958",
    [person("Gunther", "HOXELBEAM", born("1959-01"))],
  ],
]);

const places = judgementsOf(OFFICERS, [
  [
    "place: of two namesakes, the one in the town comes first",
    "Imelda Jastroke Yeovil",
    [person("Imelda", "JASTROKE", HERE), person("Imelda", "JASTROKE", { ...ELSEWHERE, active_count: 2 })],
    [person("Imelda", "YARROCK", HERE)],
  ],
  ["place: after a comma", "Imogen Kastroyd, Yeovil", [person("Imogen", "KASTROYD", HERE)]],
  ["place: after a word such as OF", "Ivor Kremblay of Yeovil", [person("Ivor", "KREMBLAY", HERE)]],
  [
    "place: beside a surplus forename",
    "Isolde Mary Krastwell, Yeovil",
    [person("Isolde", "KRASTWELL", HERE)],
  ],
  [
    "place: of two namesakes, the one with the postcode comes first",
    "Jerome Lastrange QZ7 2CD",
    [
      person("Jerome", "LASTRANGE", lives("Yeovil", "QZ7 2CD")),
      person("Jerome", "LASTRANGE", { ...HERE, active_count: 2 }),
    ],
  ],
  [
    "place: an address that the register does not have, in the register's form",
    "KASTERDALE, Imogen, 12 High Street, Headingley, Leeds",
    [person("Imogen", "KASTERDALE", ELSEWHERE)],
  ],
  [
    "place: the same after a double surname",
    "Vane Kasterbeck, Imogen Mary, 12 High Street, Headingley, Leeds",
    [
      person("Imogen Mary", "VANE-KASTERBECK", ELSEWHERE),
      person("Anna", "VANE-KASTERBECK", { ...ELSEWHERE, active_count: 4 }),
    ],
  ],
  [
    "place: the same after two forenames",
    "Kastermore, Imogen Mary, 12 High Street, Leeds",
    [person("Imogen Mary", "KASTERMORE", ELSEWHERE)],
  ],
  [
    "place: a town alone may be a forename, and must agree",
    "KASTERWICK, Imogen, Yeovil",
    [person("Imogen", "KASTERWICK", HERE)],
  ],
  [
    "place: a person with the town's name as a forename comes first",
    "Harriet Yeovil Woxleyne",
    [person("Harriet Yeovil", "WOXLEYNE", { active_count: 0, resigned_count: 1 })],
    [person("Harriet", "WOXLEYNE", HERE)],
  ],
  [
    "place: of a corporate body",
    "Xerxine Nominees Ltd, Yeovil",
    [body("XERXINE NOMINEES LTD", HERE), body("XERXINE NOMINEES LTD", { ...ELSEWHERE, active_count: 2 })],
  ],
  ["place: an address alone", "6 Wexlark Row, Quornbeck QB9 4ZT", [person("Tolland", "YUXBERRY", LANE)]],
  ["slip and a surplus forename", "Theodric James Quandleberry", [person("Theodoric", "QUANDLEBERRY")]],
  ["slip and honours", "Tancred Quorlingtan OBE", [person("Tancred", "QUORLINGTON")]],
  ["slip and a town", "Tobiah Quexmorre Yeovil", [person("Tobiah", "QUEXMORE", HERE)]],
]);

const disqualifiedOfficers = judgementsOf(DISQUALIFIED, [
  ["disqualified: a surplus forename", "Cosmo Alaric Wendrith", [person("Cosmo", "WENDRITH", disqualified)]],
  [
    "disqualified: a surplus forename, after an expired but exact match",
    "Cyprian Alaric Wexmoth",
    [person("Cyprian Alaric", "WEXMOTH", expired), person("Cyprian", "WEXMOTH", disqualified)],
  ],
  ["disqualified: a surplus initial", "Crispian L Wolvery", [person("Crispian", "WOLVERY", disqualified)]],
  [
    "disqualified: surname first, a surplus forename",
    "WURLITHAM, Cuthmann Peter",
    [person("Cuthmann", "WURLITHAM", disqualified)],
  ],
  ["disqualified: honours", "Dr Desdemona Yarkovan MBE", [person("Desdemona", "YARKOVAN", disqualified)]],
  [
    "disqualified: of two namesakes, the one with the birth date comes first",
    "Drusus Yelvertine March 1970",
    [
      person("Drusus", "YELVERTINE", { ...born("1970-03"), ...disqualified }),
      person("Drusus", "YELVERTINE", { ...born("1971-03"), ...disqualified }),
    ],
  ],
  [
    "disqualified: of two namesakes, the one in the town comes first",
    "Dunstana Yorvicke, Yeovil",
    [
      person("Dunstana", "YORVICKE", { ...HERE, ...disqualified }),
      person("Dunstana", "YORVICKE", { ...ELSEWHERE, ...disqualified }),
    ],
  ],
  [
    "disqualified: slip and a surplus forename",
    "Elspith Joan Zorrandike",
    [person("Elspeth", "ZORRANDIKE", disqualified)],
  ],
  [
    "disqualified: initials run together",
    "EF Zundelmeer",
    [person("Edgar Finn", "ZUNDELMEER", disqualified)],
  ],
]);

const personsWithControl = judgementsOf(CONTROLLING, [
  ["control: a surplus forename", "Alberic Noel Bruxtane", [person("Alberic", "BRUXTANE", controls)]],
  [
    "control: birth and town",
    "Aldith Brenquist, Yeovil, born May 1981",
    [
      person("Aldith", "BRENQUIST", { ...HERE, ...born("1981-05"), ...controls }),
      person("Aldith", "BRENQUIST", { ...ELSEWHERE, ...born("1981-05"), ...controls }),
    ],
  ],
  [
    "control: a corporate body, with its ending and town",
    "Brundlewax Holdings Ltd, Yeovil",
    [body("BRUNDLEWAX HOLDINGS LTD", { ...HERE, ...controls })],
  ],
]);

export const personReadingJudgements = [
  ...forenames,
  ...honours,
  ...births,
  ...places,
  ...disqualifiedOfficers,
  ...personsWithControl,
];
