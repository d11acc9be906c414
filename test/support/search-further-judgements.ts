/** Further judgements of the classes of `relevance.jsonl`: the whole order of the answer to each query. */
import { companyJudgements } from "./search-further-companies.ts";
import { disqualifiedJudgements } from "./search-further-disqualified.ts";
import { endingJudgements } from "./search-further-endings.ts";
import { filterJudgements } from "./search-further-filters.ts";
import { nameJudgements } from "./search-further-names.ts";
import { openEndingJudgements } from "./search-further-open-endings.ts";
import { otherJudgements } from "./search-further-others.ts";
import { personJudgements } from "./search-further-people.ts";
import { spellingJudgements } from "./search-further-spelling.ts";
import { formerNameJudgements } from "./search-readings-former.ts";
import { addressJudgements } from "./search-readings-addresses.ts";
import { companyReadingJudgements } from "./search-readings-companies.ts";
import { namedJudgements } from "./search-readings-names.ts";
import { leadJudgements } from "./search-readings-leads.ts";
import { lineJudgements } from "./search-readings-lines.ts";
import { documentReadingJudgements } from "./search-readings-documents.ts";
import { personDocumentJudgements } from "./search-readings-people-documents.ts";
import { personFormJudgements } from "./search-readings-people-forms.ts";
import { personNameJudgements } from "./search-readings-people-names.ts";
import { partJudgements } from "./search-readings-parts.ts";
import { pastedJudgements } from "./search-readings-pasted.ts";
import { personReadingJudgements } from "./search-readings-people.ts";
import { personSlipJudgements } from "./search-readings-people-slips.ts";
import {
  body,
  COMPANIES,
  company,
  DISQUALIFIED,
  disqualified,
  expired,
  OFFICERS,
  type OrderJudgement,
  person,
} from "./search-order-judgement.ts";

const companyTiers: OrderJudgement[] = [
  {
    rule: "company tiers 0 to 10",
    path: COMPANIES,
    q: "tarnwick press ltd",
    inOrder: [
      company("TARNWICK PRESS LIMITED"),
      company("TARNWICK PRESS PLC"),
      company("HALDERBY A LTD", { was: "TARNWICK PRESS LLP" }),
      company("TARNWICK PRESS AGENCY LTD"),
      company("TARNWICK PRESSINGS LTD"),
      company("HALDERBY B LTD", { was: "TARNWICK PRESSMEN LTD" }),
      company("OLD PRESS OF TARNWICK LTD"),
      company("HALDERBY C LTD", { was: "OLD PRESS AT TARNWICK LTD" }),
      company("PRESSES NEAR TARNWICKHAM LTD"),
      company("HALDERBY D LTD", { was: "PRESSES BY TARNWICKHAM LTD" }),
      company("TARNWYCK PRESS LTD"),
    ],
    absent: [company("TARNWICK LTD")],
  },
  {
    rule: "company tiers 11 to 14",
    path: COMPANIES,
    q: "corvelle printing harbor",
    inOrder: [
      company("CORVELLE PRINTING HARBOUR LTD"),
      company("CORWELLE PRINTIN HARBOUR LTD"),
      company("HALDERBY E LTD", { was: "CORVELLE PRINTING HARBOUR LTD" }),
      company("CORVELLE PRINTING LTD"),
      company("HALDERBY F LTD", { was: "CORVELLE PRINTING LTD" }),
    ],
    absent: [company("CORVELLE LTD"), company("QUORVELLE LTD")],
  },
  {
    rule: "company ties: status group, extra words, key, number",
    path: COMPANIES,
    q: "yarrowsby",
    inOrder: [
      company("YARROWSBY MILLS LTD", { company_number: "SC890100" }),
      company("YARROWSBY MILLS LTD", { company_number: "SC890101" }),
      company("YARROWSBY STORES LTD"),
      company("YARROWSBY ANCHOR WORKS LTD"),
      company("YARROWSBY ARCHES LTD", { company_status: "liquidation" }),
      company("YARROWSBY BRICKS LTD", { company_status: "administration" }),
      company("YARROWSBY AGENTS LTD", { company_status: "dissolved" }),
      company("YARROWSBY ALE LTD", { company_status: "converted-closed" }),
    ],
  },
  {
    rule: "a number comes before the names that begin with it",
    path: COMPANIES,
    q: "sc 89 0777",
    inOrder: [company("HALDERBY G LTD", { company_number: "SC890777" }), company("SC890777 LIMITED")],
  },
  {
    rule: "an exact name comes first, whatever its status",
    path: COMPANIES,
    q: "Grennaby",
    inOrder: [company("GRENNABY LTD", { company_status: "dissolved" }), company("GRENNABY NORTH LTD")],
  },
  {
    rule: "signs, accents and joined words make no difference",
    path: COMPANIES,
    q: "ælfholm & døtre + 5%",
    inOrder: [company("AELF HOLM AND DOTRE PLUS 5 PER-CENT"), company("ÆLFHOLM & DØTRE + 5% SOUTH LTD")],
  },
  {
    rule: "a Welsh ending is equal to the English one",
    path: COMPANIES,
    q: "penllanwy ccc",
    inOrder: [company("PENLLANWY PUBLIC LIMITED COMPANY"), company("PENLLANWY CYF")],
  },
  {
    rule: "one edit comes before two, and swapped letters are one",
    path: COMPANIES,
    q: "mordingham",
    inOrder: [company("MORDINHGAM LTD"), company("MORTINGTAM LTD")],
    absent: [company("MORTINGTOM LTD")],
  },
  {
    rule: "restrictions: the same name in law, in the order of the register",
    path: COMPANIES,
    q: "Two Fenwolds & Co",
    params: { restrictions: "legally-equivalent-company-name nonsense" },
    inOrder: [
      company("2 FENWOLD LTD"),
      company("2 FENWOLDS UK LTD", { company_status: "dissolved" }),
      company("TO FENWOLD COMPANY PLC"),
    ],
    absent: [company("TWO FENWOLDS HOLDINGS LTD"), company("HALDERBY H LTD", { was: "TWO FENWOLD LTD" })],
  },
  {
    rule: "restrictions: active only, also among near spellings",
    path: COMPANIES,
    q: "vanderholt",
    params: { restrictions: "active-companies" },
    inOrder: [company("VANDERHOLD LTD")],
    absent: [company("VANDERHOLT LTD", { company_status: "dissolved" })],
  },
];

const officerTiers: OrderJudgement[] = [
  {
    rule: "officer tiers of several words",
    path: OFFICERS,
    q: "Lucasta Pembrow",
    inOrder: [
      person("Lucasta", "PEMBROW"),
      person("Lucasta Jane", "PEMBROW"),
      person("Lucasta", "VANE", { former_names: [{ surname: "PEMBROW" }] }),
      person("Jane Lucasta", "PEMBROW"),
      person("Lucasta", "PEMBROW-HALE"),
      person("Lucastana", "PEMBROW"),
      person("Lucastana", "PEMBROWSKI"),
      person("Lucasto", "PEMBROW"),
    ],
    absent: [person("Jane", "PEMBROW")],
  },
  {
    rule: "officer tiers of one word",
    path: OFFICERS,
    q: "quennel",
    inOrder: [
      body("QUENNEL LIMITED"),
      person("Odile", "QUENNEL"),
      person("Odile", "HALDER", { former_names: [{ forenames: "Odile", surname: "QUENNEL" }] }),
      person("Odile", "MARSH QUENNEL"),
      body("QUENNEL TRUSTEES LIMITED"),
      person("Quennel", "HALDER"),
      person("Odile", "QUENNELSON"),
    ],
    absent: [person("Odile", "QUENELL")],
  },
  {
    rule: "surname first, with and without a comma, titles and initials",
    path: OFFICERS,
    q: "VAN DORSAL, Prof. Ruth E",
    inOrder: [person("Ruth Emily", "VAN DORSAL"), person("Ruthanna Edith", "VANDORSAL")],
    absent: [person("Emily", "VAN DORSAL")],
  },
  {
    rule: "officer ties: active posts, unused forenames, number of active posts, name",
    path: OFFICERS,
    q: "tolverne",
    inOrder: [
      person("Bram", "TOLVERNE", { active_count: 3 }),
      person("Abel", "TOLVERNE", { active_count: 2 }),
      person("Cato", "TOLVERNE", { active_count: 2 }),
      person("Abel Bram", "TOLVERNE", { active_count: 4 }),
      person("Aaron", "TOLVERNE", { active_count: 0, resigned_count: 9 }),
    ],
  },
  {
    rule: "a nearer spelling of the surname comes first",
    path: OFFICERS,
    q: "Hesper Wintlebury",
    inOrder: [person("Hesper", "WINTLEBURRY"), person("Hesper", "WYNTLEBURRY")],
  },
  {
    rule: "disqualified: in force before expired, after the strength of the match",
    path: DISQUALIFIED,
    q: "Osric Ballantor",
    inOrder: [
      person("Osric", "BALLANTOR", disqualified),
      person("Osric", "BALLANTOR", expired),
      person("Osric Paul", "BALLANTOR", disqualified),
    ],
  },
  {
    rule: "all kinds: tiers first, then company, disqualified officer, officer",
    path: "/search",
    q: "Merrin Coldharrow",
    inOrder: [
      company("MERRIN COLDHARROW LTD"),
      person("Merrin", "COLDHARROW", disqualified),
      person("Merrin", "COLDHARROW"),
      person("Merrin Ada", "COLDHARROW", disqualified),
      person("Merrin Ada", "COLDHARROW"),
      company("HALDERBY J LTD", { was: "MERRIN COLDHARROW LTD" }),
      company("MERRIN COLDHARROW NORTH LTD"),
      person("Merrin", "COLDHARROW-VANE", disqualified),
      person("Merrin", "COLDHARROW-VANE"),
    ],
  },
];

/** Further judgements of every class. */
export const furtherJudgements: OrderJudgement[] = [
  ...companyTiers,
  ...officerTiers,
  ...nameJudgements,
  ...endingJudgements,
  ...openEndingJudgements,
  ...companyJudgements,
  ...spellingJudgements,
  ...personJudgements,
  ...disqualifiedJudgements,
  ...otherJudgements,
  ...filterJudgements,
  ...companyReadingJudgements,
  ...addressJudgements,
  ...documentReadingJudgements,
  ...personReadingJudgements,
  ...personDocumentJudgements,
  ...personFormJudgements,
  ...personNameJudgements,
  ...personSlipJudgements,
  ...namedJudgements,
  ...pastedJudgements,
  ...partJudgements,
  ...formerNameJudgements,
  ...leadJudgements,
  ...lineJudgements,
];
