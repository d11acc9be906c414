/** Owns further judgements of companies whose ending the query does not spell out: half-typed, or misspelt. */
import { COMPANIES, company, dissolved, judgementsOf } from "./search-order-judgement.ts";

export const openEndingJudgements = judgementsOf(COMPANIES, [
  [
    "ending: half-typed, as a beginning among others",
    "thistlemere lim",
    [company("THISTLEMERE LIMITED"), company("THISTLEMERE LIMES LTD"), company("THISTLEMERE SLIM LTD")],
    [company("THISTLEMERE PLC")],
  ],
  [
    "ending: half-typed, of several words",
    "wrackenby limited liab",
    [company("WRACKENBY LLP"), company("WRACKENBY LTD"), company("WRACKENBY PLC")],
  ],
  [
    "ending: one letter of it",
    "corsenhope l",
    [
      company("CORSENHOPE LTD"),
      company("CORSENHOPE LLP", dissolved),
      company("CORSENHOPE LARDER LTD", dissolved),
      company("CORSENHOPE PLC"),
    ],
  ],
  [
    "ending: half-typed behind a previous name, below a current one",
    "ullenwick publ",
    [company("ULLENWICK PLC", dissolved), company("HALDERBY U LTD", { was: "ULLENWICK PLC" })],
    [company("ULLENWICK LTD")],
  ],
  [
    "ending: joined, of a community interest company",
    "sorrelwickcic",
    [company("SORRELWICK COMMUNITY INTEREST COMPANY")],
  ],
  [
    "ending: joined, of a community interest company, in a web address",
    "www.sorrelfordcic.co.uk",
    [company("SORRELFORD C.I.C.")],
  ],
  ["ending: misspelt", "marrowden limtied", [company("MARROWDEN LTD")], [company("MARROWDEN PLC")]],
  [
    "ending: misspelt, and the name too",
    "quarrenbi limted",
    [company("QUARRENBY LIMITED"), company("QUARREN TRADING LTD")],
    [company("QUARRENBY PLC"), company("QUARREN TRADING PLC")],
  ],
  [
    "ending: a word that is like an ending is a word first",
    "sorrelby limit",
    [company("SORRELBY LIMIT LTD"), company("SORRELBY LTD")],
    [],
  ],
]);
