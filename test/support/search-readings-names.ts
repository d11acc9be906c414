/**
 * Judgements of pasted names that a search easily misses: only generic words, with a slip, beside another address
 * than the registered one, after the words of a letter, or the same only in law.
 */
import {
  COMPANIES,
  company,
  judgementsOf,
  numbered,
  lives,
  OFFICERS,
  office,
  person,
  SUGGEST,
} from "./search-order-judgement.ts";

const ELSEWHERE = office("Quornbeck", "QB8 8QD");

const genericNames = judgementsOf(COMPANIES, [
  [
    "read generic name: after a comma, London",
    "Lettings Express Ltd, London",
    [company("LETTINGS EXPRESS LTD", ELSEWHERE)],
  ],
  [
    "read generic name: of several words, each of which is in other names",
    "British Roofing Company PLC, London",
    [company("BRITISH ROOFING COMPANY PLC", office("London"))],
    [company("ROOFING TRADERS COMPANY LTD", office("London"))],
  ],
  [
    "read generic name: after a comma, a country",
    "Global Kitchens Trading Ltd, England",
    [company("GLOBAL KITCHENS TRADING LTD", ELSEWHERE)],
  ],
  [
    "read generic name: with its ending before the country",
    "haulage plc uk",
    [company("HAULAGE PLC", ELSEWHERE)],
  ],
  [
    "read generic name: nothing between it and the town",
    "Scaffolding Express London",
    [company("SCAFFOLDING EXPRESS LTD", office("London"))],
    [company("SCAFFOLDING TRAVEL LTD", office("London"))],
  ],
]);

const slips = judgementsOf(COMPANIES, [
  [
    "read slip: before a company whose name is the rest of it",
    "Wernbys Bookstalls Ltd, Leeds",
    [
      company("WERNBYSS BOOKSTALLS LIMITED", office("Leeds", "LS1 1ZX", "12 Mill Lane")),
      company("BOOKSTALLS LIMITED", ELSEWHERE),
    ],
  ],
  [
    "read slip: the same after the ending and a street",
    "Wexholow Village Breadshop Ltd, 1 Green, York",
    [
      company("WEXHOLLOW VILLAGE BREADSHOP LIMITED", office("York", "YO1 1ZX", "1 Green")),
      company("VILLAGE BREADSHOP LIMITED", ELSEWHERE),
    ],
  ],
]);

const otherAddresses = [
  ...judgementsOf(COMPANIES, [
    [
      "read address: another address than the registered one hides no company",
      "Bruntwyke Larders, Unit 9, Tarn Park, Leeds",
      [company("BRUNTWYKE LARDERS LTD", ELSEWHERE)],
    ],
  ]),
  ...judgementsOf(OFFICERS, [
    [
      "read address of a person: another address hides nobody",
      "Jane Quornsbury, 3 Other Street, York, YO1 1AA",
      [person("Jane Mary", "QUORNSBURY", lives("Leeds", "LS1 1ZZ", "12 Mill Lane"))],
      [person("Joan Mary", "QUORNSBURY", lives("Leeds", "LS1 1ZZ", "12 Mill Lane"))],
    ],
    [
      "read address of a person: the same in three parts without a digit",
      "Jane Quarnsbury, The Old Barn, Upper Tarn, Norfolk",
      [person("Jane", "QUARNSBURY", lives("Leeds", "LS1 1ZZ", "12 Mill Lane"))],
    ],
  ]),
];

const sameBeforeTheLaw = judgementsOf(COMPANIES, [
  [
    "same as: a digit for its word",
    "Zarnwell 1 Ltd",
    [company("ZARNWELL ONE LIMITED")],
    [company("ZARNWELL TWO LIMITED")],
  ],
  ["same as: UK for its words", "Quarnforth United Kingdom Ltd", [company("QUARNFORTH UK LIMITED")]],
  [
    "same as: names with more of the words come before names with fewer",
    "Zarnfold & Company Ltd",
    [company("ZARNFOLD & CO LIMITED"), company("ZARNFOLD LIMITED")],
  ],
  ["same as: a mail address", "sales@oddbuttle.com", [company("ODDBUTTLE.COM LIMITED")]],
  ["same as: a web address", "https://www.oddjarr.co.uk/contact", [company("ODDJARR.CO.UK LIMITED")]],
  [
    "same as: a web address, before the name without its end",
    "www.oddlidd.com",
    [company("ODDLIDD.COM LIMITED"), company("ODDLIDD LIMITED")],
  ],
]);

const locations = [
  ...judgementsOf(
    COMPANIES,
    [
      [
        "location: a postcode without its space",
        "Yaxthorne",
        [company("YAXTHORNE NORTH LTD", office("Leeds", "LS1 1ZZ"))],
        [company("YAXTHORNE SOUTH LTD", office("Leeds", "LS1 1ZX"))],
      ],
    ],
    { location: "ls11zz, Leeds" },
  ),
];

const numbers = judgementsOf(COMPANIES, [
  ["read number: a comma between its thousands", "912,383", [numbered("00912383")]],
  ["read number: the same after a label", "Company number 912,384", [numbered("00912384")]],
  ["read number: a dot after the prefix", "SC.912385", [numbered("SC912385")]],
  ["read number: No. after the prefix", "Sc No. 912386", [numbered("SC912386")]],
  [
    "read number: not companies at the address beside it whose names have none of the words",
    "Company number 00912387, 1 Tolverne Mews, Yeovil BA20 1ZX",
    [numbered("00912387")],
    [company("QUEXBORN LARDERS LTD", office("Yeovil", "BA20 1ZX", "1 Tolverne Mews"))],
  ],
]);

const letters = judgementsOf(COMPANIES, [
  [
    "read letter: words before a name after a comma",
    "Dear Sirs, our client Dreftwick Larders Ltd of Leeds",
    [company("DREFTWICK LARDERS LTD", ELSEWHERE)],
  ],
  [
    "read letter: a department before the name",
    "FAO Accounts Dept Drafthorn Larders Ltd",
    [company("DRAFTHORN LARDERS LTD")],
    [company("LARDERS LTD")],
  ],
  [
    "read letter: an office before the name",
    "The Company Secretary Drafthern Larders Ltd",
    [company("DRAFTHERN LARDERS LTD")],
  ],
  [
    "read letter: a sentence before the name",
    "Thank you for your payment to Drafthirn Larders Ltd",
    [company("DRAFTHIRN LARDERS LTD")],
  ],
  [
    "read letter: the ending of the name after a sentence",
    "Thank you for your payment to Drafthyrn Larders LLP",
    [company("DRAFTHYRN LARDERS LLP"), company("DRAFTHYRN LARDERS LTD")],
  ],
  [
    "read letter: without such words the end of a longer name is not a name",
    "Drafthurn Arkwell Vexmoor Poldred Larders Ltd",
    [company("DRAFTHURN ARKWELL VEXMOOR LTD")],
    [company("POLDRED LARDERS LTD")],
  ],
  [
    "read letter: an ending that is cut off",
    "BACS Draftharn Larders Limi",
    [company("DRAFTHARN LARDERS LIMITED")],
    [company("DRAFTHARN LARDERS PLC")],
  ],
  [
    "read letter: a misspelt ending before a town",
    "Draftheern Larders Lmited, Yeovil",
    [company("DRAFTHEERN LARDERS LIMITED", office("Yeovil")), company("DRAFTHEERN LARDERS (YEOVIL) LIMITED")],
  ],
  [
    "read letter: the beginning of an ending may be a word of a name in its town",
    "Drafthoorn Larders UK, Yeovil",
    [company("DRAFTHOORN LARDERS LIMITED", office("Yeovil"))],
  ],
  [
    "read letter: two companies",
    "Dreftwock Larders Ltd v Qualmby (UK) Ltd",
    [company("DREFTWOCK LARDERS LTD"), company("QUALMBY (UK) LTD")],
  ],
  [
    "read web address: with a last part that is not a word of many names",
    "www.vexdrift-larders.shop",
    [company("VEXDRIFT LARDERS LTD")],
  ],
  [
    "read name: before a word of many names, where no name is nearer",
    "Softquernspur Holdings Ltd",
    [company("SOFTQUERNSPUR LTD")],
    [company("HOLDINGS LTD")],
  ],
  [
    "read place: beside a name of a few letters, none of which is a slip",
    "Zq, Penzance",
    [company("ZQ LTD", office("Penzance"))],
    [company("PENZANCE LTD"), company("ZV PENZANCE LTD")],
  ],
  [
    "read place: beside the first half of a postcode, which is not a name",
    "Shrewsbury N1",
    [company("SHREWSBURY LTD", office("Penzance"))],
  ],
  ["saint: written out", "Saint Quornulfs Ltd", [company("ST QUORNULFS LIMITED")]],
  ["saint: abbreviated", "St. Quarnulf's", [company("SAINT QUARNULFS LIMITED")]],
]);

const suggestions = judgementsOf(SUGGEST, [
  [
    "suggest: a half-typed ending, whose beginning is an ending too",
    "r & d zarn public limited",
    [company("R & D ZARN PLC")],
  ],
]);

const labels = judgementsOf(COMPANIES, [
  ["label: of a VAT registration", "Labrelquorn Press VAT Reg 123456789", [company("LABRELQUORN PRESS LTD")]],
  [
    "label: of a VAT registration, in full, before the name",
    "VAT Registration Number: 123456789 Labrelquoin Press",
    [company("LABRELQUOIN PRESS LTD")],
  ],
  [
    "label: before a name and another town",
    "Invoice from Labrelquarn Press, Leeds",
    [company("LABRELQUARN PRESS LTD", ELSEWHERE)],
  ],
  [
    "label: with a colon",
    "Supplier: Labrelquist Press, Leeds",
    [company("LABRELQUIST PRESS LTD", ELSEWHERE)],
  ],
  [
    "label: of two words",
    "Company Name: Labrelquast Press, Leeds",
    [company("LABRELQUAST PRESS LTD", ELSEWHERE)],
  ],
  [
    "label: with a dash",
    "Customer - Labrelquest Press - Leeds",
    [company("LABRELQUEST PRESS LTD", ELSEWHERE)],
  ],
  [
    "label: before a name and another address",
    "Attn Labrelquill Press, 12 High Street, Leeds",
    [company("LABRELQUILL PRESS LTD", ELSEWHERE)],
  ],
  [
    "label: which may be a part of the name",
    "Supplier: Total Labrelquarry, 12 High Street, Leeds",
    [company("TOTAL LABRELQUARRY LTD", ELSEWHERE)],
  ],
  [
    "label: of a payment, with an amount and its currency",
    "CARD PAYMENT TO LABRELQUERN PRESS,25.99 GBP",
    [company("LABRELQUERN PRESS LTD")],
  ],
  [
    "label: of a payment, with the currency before the amount",
    "CARD PAYMENT TO LABRELQUARK PRESS GBP 25.99",
    [company("LABRELQUARK PRESS LTD")],
  ],
]);

export const namedJudgements = [
  ...genericNames,
  ...slips,
  ...otherAddresses,
  ...locations,
  ...numbers,
  ...sameBeforeTheLaw,
  ...letters,
  ...labels,
  ...suggestions,
];
