/** Judgements of company names after a list mark or a short word, which other names begin with. */
import { COMPANIES, company, judgementsOf } from "./search-order-judgement.ts";

const marks = judgementsOf(COMPANIES, [
  [
    "lead: care of",
    "c/o Zolvern Property Limited",
    [company("ZOLVERN PROPERTY LIMITED"), company("CORNWALL ZOLVERN PROPERTY LIMITED")],
  ],
  [
    "lead: care of, without an ending",
    "c/o Zolvarn Property",
    [company("ZOLVARN PROPERTY LIMITED"), company("CORNWALL ZOLVARN PROPERTY LIMITED")],
  ],
  [
    "lead: a label",
    "Re: Zolvick Property Ltd",
    [company("ZOLVICK PROPERTY LTD"), company("REGAL ZOLVICK PROPERTY LTD")],
  ],
  [
    "lead: a label, and the ending that is asked for",
    "Re: Zolmarch Property LLP",
    [company("ZOLMARCH PROPERTY LLP"), company("ZOLMARCH PROPERTY LTD")],
  ],
  [
    "lead: care of a name with an abbreviation",
    "c/o Zolmont Bros Ltd",
    [company("ZOLMONT BROTHERS LTD"), company("CORNWALL ZOLMONT BROS LTD")],
  ],
  [
    "lead: a letter of a list",
    "a) Zolford Property Ltd",
    [company("ZOLFORD PROPERTY LTD"), company("ATLAS ZOLFORD PROPERTY LTD")],
  ],
  [
    "lead: a letter of a list, without an ending",
    "(v) zolferd property",
    [company("ZOLFERD PROPERTY LTD"), company("VICTORY ZOLFERD PROPERTY LTD")],
  ],
  [
    "lead: a cell of a table",
    "T\tZolgate Property Ltd",
    [company("ZOLGATE PROPERTY LTD"), company("TOWER ZOLGATE PROPERTY LTD")],
  ],
  [
    "lead: a letter and a colon",
    "O: Zolhurst Property Ltd",
    [company("ZOLHURST PROPERTY LTD"), company("ORION ZOLHURST PROPERTY LTD")],
  ],
  [
    "lead: Messrs",
    "M/s Zolsham Property Ltd",
    [company("ZOLSHAM PROPERTY LTD"), company("MSR ZOLSHAM PROPERTY LTD")],
  ],
]);

const words = judgementsOf(COMPANIES, [
  [
    "lead: a word before a previous name",
    "at Zolmere Property Ltd",
    [
      company("HALDERBY ZA LTD", { was: "ZOLMERE PROPERTY LIMITED" }),
      company("HALDERBY ZB LTD", { was: "ATLANTIC ZOLMERE PROPERTY LTD" }),
    ],
  ],
  [
    "lead: to, before a name with another ending",
    "to Zolcombe Property Ltd",
    [company("ZOLCOMBE PROPERTY LLP"), company("TOTAL ZOLCOMBE PROPERTY LTD")],
  ],
  [
    "lead: in, before generic words alone",
    "in LOGISTICS PROPERTIES LIMITED",
    [company("LOGISTICS PROPERTIES LIMITED"), company("INFINITY PREMIER LOGISTICS PROPERTIES LIMITED")],
  ],
  [
    "lead: a title before generic words alone",
    "Dr. JEWELLERY SOLUTIONS LIMITED",
    [company("JEWELLERY SOLUTIONS LIMITED"), company("DRAKE JEWELLERY SOLUTIONS LTD")],
  ],
  [
    "lead: for and an, before a THE",
    "for an the ZOLBRIDGE SOLUTIONS LIMITED",
    [company("THE ZOLBRIDGE SOLUTIONS LIMITED")],
  ],
  [
    "lead: now, which is near a word of another company's address",
    "now ZOLSTOW BROTHERS LTD",
    [company("ZOLSTOW BROTHERS LTD")],
    [
      company("ZOLSTOWE BROTHERS LTD", {
        registered_office_address: { address_line_1: "1 Row", locality: "Quornbeck" },
      }),
    ],
  ],
  [
    "lead: names with the word come first",
    "at zolholme care ltd",
    [
      company("AT ZOLHOLME CARE LTD"),
      company("AT ZOLHOLME CARE SERVICES LTD"),
      company("CARE AT ZOLHOLME LTD"),
      company("ZOLHOLME CARE LTD"),
      company("ATLAS ZOLHOLME CARE LTD"),
    ],
  ],
  [
    "lead: without an ending, a part of a name that is being typed",
    "at zolholt care",
    [company("ATLAS ZOLHOLT CARE LTD"), company("ZOLHOLT CARE LTD")],
  ],
]);

const all = judgementsOf("/search", [
  [
    "lead: among all kinds",
    "c/o Zolwick Property Ltd",
    [company("ZOLWICK PROPERTY LTD"), company("COASTAL ZOLWICK PROPERTY LTD")],
  ],
]);

export const leadJudgements = [...marks, ...words, ...all];
