/** Judgements of former names of companies and people, beside other facts about them. */
import {
  born,
  COMPANIES,
  company,
  judgementsOf,
  office,
  OFFICERS,
  person,
} from "./search-order-judgement.ts";

const HERE = office("Yeovil", "QZ5 7DA", "3 Harp Row");
const ELSEWHERE = office("Quornbeck", "QB8 8QD");

const companies = judgementsOf(COMPANIES, [
  [
    "previous name: beside its town, before longer present names",
    "Harkelmoor Foods Yeovil",
    [
      company("OTTERBELL A LTD", { was: "HARKELMOOR FOODS LTD", ...HERE }),
      company("HARKELMOOR FOODS NORTHERN LTD", ELSEWHERE),
    ],
  ],
  [
    "previous name: before a comma and its town, then the current name in another town, then longer ones",
    "Harkelfold Foods Ltd, Yeovil",
    [
      company("OTTERBELL B LTD", { was: "HARKELFOLD FOODS LTD", ...HERE }),
      company("HARKELFOLD FOODS LTD", ELSEWHERE),
      company("OTTERBELL C LTD", { was: "HARKELFOLD FOODS LTD", ...ELSEWHERE }),
      company("FOODS OF HARKELFOLD LTD", HERE),
      company("HARKELFOLD FOODS NORTHERN LTD", ELSEWHERE),
    ],
  ],
  [
    "previous name: before all of its address",
    "Harkelgate Foods Limited, 3 Harp Row, Yeovil QZ5 7DA",
    [
      company("OTTERBELL D LTD", { was: "HARKELGATE FOODS LTD", ...HERE }),
      company("FOODS OF HARKELGATE LTD", ELSEWHERE),
    ],
  ],
  [
    "previous name: before its postcode",
    "Harkelhope Foods, QZ5 7DA",
    [
      company("OTTERBELL E LTD", { was: "HARKELHOPE FOODS LTD", ...HERE }),
      company("HARKELHOPE FOODS NORTHERN LTD", ELSEWHERE),
    ],
  ],
  [
    "previous name: before its number",
    "Harkellow Foods Ltd (company no. 88330012)",
    [
      company("OTTERBELL F LTD", { was: "HARKELLOW FOODS LTD", company_number: "88330012" }),
      company("HARKELLOW FOODS LTD"),
      company("FOODS OF HARKELLOW LTD"),
    ],
  ],
]);

const misspelt = judgementsOf(COMPANIES, [
  [
    "previous name: misspelt beside its town, after a present one, before most of its words",
    "Harkelbornue & Sons Ltd, Yeovil",
    [
      company("HARKELBOURNE AND SONS LTD", HERE),
      company("OTTERBELL G LTD", { was: "HARKELBOURNE & SONS LTD", ...HERE }),
      company("OTTERBELL H LTD", { was: "HARKELBOURNE & SONS LTD", ...ELSEWHERE }),
    ],
  ],
  [
    "previous name: misspelt before a town without a comma",
    "harkelwiek foods yeovil",
    [company("OTTERBELL I LTD", { was: "HARKELWICK FOODS LTD", ...HERE })],
  ],
  [
    "previous name: misspelt before its postcode",
    "Harkeldaen Foods, QZ5 7DA",
    [company("OTTERBELL J LTD", { was: "HARKELDEAN FOODS LTD", ...HERE })],
  ],
  [
    "previous name: misspelt before all of its address",
    "Harkelsotke Foods Limited, 3 Harp Row, Yeovil QZ5 7DA",
    [company("OTTERBELL K LTD", { was: "HARKELSTOKE FOODS LTD", ...HERE })],
  ],
]);

const people = judgementsOf(OFFICERS, [
  [
    "former name: with the month of birth, before other people with its words",
    "Marigold Harkelchamp born March 1970",
    [
      person("Marigold", "OVERBELLY", { former_names: [{ surname: "HARKELCHAMP" }], ...born("1970-03") }),
      person("Marigold", "HARKELCHAMP", born("1981-05")),
      person("Marigold Jane", "HARKELCHAMP", born("1981-05")),
      person("Marigold", "OVERBOLLY", { former_names: [{ surname: "HARKELCHAMP" }], ...born("1981-05") }),
      person("Marigold Jane", "HARKELCHAMP-ORD", born("1981-05")),
    ],
  ],
  [
    "former name: a surname alone, before half of a present one",
    "Harkelstead 1970",
    [
      person("Marigold", "OVERBILLY", { former_names: [{ surname: "HARKELSTEAD" }], ...born("1970-03") }),
      person("Marigold", "HARKELSTEAD-ORD", born("1970-03")),
    ],
  ],
]);

export const formerNameJudgements = [...companies, ...misspelt, ...people];
