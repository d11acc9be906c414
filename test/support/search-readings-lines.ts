/** Judgements of company names in lines of bank statements, orders and forms: after other words, or cut off. */
import { COMPANIES, company, dissolved, judgementsOf, SUGGEST } from "./search-order-judgement.ts";

const oneWord = judgementsOf(COMPANIES, [
  ["line: one word after an order's number", "PO 4567 Wandpipery Ltd", [company("WANDPIPERY LTD")]],
  [
    "line: one word after an invoice's number, before an amount",
    "Inv 12345 Wandlingery Ltd £1,234.50",
    [company("WANDLINGERY LIMITED")],
  ],
  [
    "line: one word after the words of a form",
    "Employer name Wandmarrow Ltd",
    [company("WANDMARROW LTD"), company("WANDMARROW LLP", dissolved)],
  ],
  [
    "line: one word after a word of documents",
    "Your remittance advice Wandquarry Limited",
    [company("WANDQUARRY LTD")],
  ],
  [
    "line: a name of one word comes after names with most of the words",
    "Wandover 24 Wandcastle Ltd",
    [company("WANDOVER 24 LTD"), company("WANDCASTLE LTD")],
  ],
  [
    "line: a word after another one is a part of a name",
    "Wandover Zuxmoor Wandcistle Ltd",
    [company("WANDOVER ZUXMOOR LTD")],
    [company("WANDCISTLE LTD")],
  ],
  [
    "line: the last of several words after the words of a letter is a part of the name",
    "Invoice from Wandtorrel Zuxgate Ltd",
    [company("WANDTORREL ZUXGATE LTD")],
    [company("ZUXGATE LTD")],
  ],
  [
    "line: a single generic word or a town is not a name",
    "Wandfrith Zuxby Yeovil Ltd",
    [],
    [company("YEOVIL LTD")],
  ],
  ["line: a generic word is not a name", "Wandfrith Zuxholt Cleaning Ltd", [], [company("CLEANING LTD")]],
]);

const MERCHANTS = company("WOXTERLEE BUILDERS MERCHANTS LIMITED");
const OTHERS = [company("WOXTERLEE LTD"), company("WOXTERLEE BUILDERS LTD")];

const cutOff = judgementsOf(COMPANIES, [
  ["line: cut off after BACS", "BACS WOXTERLEE BUILDERS MERCH", [MERCHANTS], OTHERS],
  ["line: cut off to a letter", "DD WOXTERLEE BUILDERS M", [MERCHANTS]],
  ["line: cut off after a payment", "Payment to woxterlee builders mer", [MERCHANTS]],
  ["line: cut off after a colon", "From: WOXTERLEE BUILDERS MERCH", [MERCHANTS]],
  ["line: cut off in its ending", "BACS WOXTERLEE BUILDERS MERCHANTS L", [MERCHANTS]],
  [
    "line: cut off after generic words",
    "DD BUILDING STREET MANAGEM",
    [company("BUILDING STREET MANAGEMENT LTD")],
  ],
  ["line: cut off before a reference", "WOXTERLEE BUILDERS MERCH REF 1234", [MERCHANTS]],
  [
    "line: whole names come before names that it begins, current names before previous ones",
    "BACS WAXTERLOW ORGAN",
    [
      company("WAXTERLOW ORGAN LTD", dissolved),
      company("HALDERBY WA LTD", { was: "WAXTERLOW ORGAN LTD" }),
      company("WAXTERLOW ORGANS LTD"),
      company("HALDERBY WB LTD", { was: "WAXTERLOW ORGANIC LTD" }),
    ],
  ],
  ["line: one word begins too many names", "BACS WUXTERB", [], [company("WUXTERBY LTD")]],
  ["line: generic words begin too many names", "BACS BUILDING SERV", [], [company("BUILDING SERVANTS LTD")]],
  [
    "line: a complete name is not cut off",
    "BACS WIXTERMOOR ORGAN LTD",
    [company("WIXTERMOOR ORGAN LTD")],
    [company("WIXTERMOOR ORGANIC LTD")],
  ],
]);

const suggested = judgementsOf(SUGGEST, [
  ["line: suggested from one cut off", "BACS WOXTERLEE BUILDERS MERCH", [MERCHANTS]],
  ["line: suggested after the words of a form", "Supplier name Wandmarsh Ltd", [company("WANDMARSH LTD")]],
]);

export const lineJudgements = [...oneWord, ...cutOff, ...suggested];
