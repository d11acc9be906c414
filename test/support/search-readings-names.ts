/**
 * Owns judgements of pasted names that are easily missed: of generic words alone, with a slip, beside another address than the
 * registered one, behind the words of a letter, equal before the law only.
 */
import { COMPANIES, company, judgementsOf, office } from "./search-order-judgement.ts";

const ELSEWHERE = office("Quornbeck", "QB8 8QD");

const genericNames = judgementsOf(COMPANIES, [
  [
    "read generic name: behind a comma, London",
    "Lettings Express Ltd, London",
    [company("LETTINGS EXPRESS LTD", ELSEWHERE)],
  ],
  [
    "read generic name: as many words of which each is in other names",
    "British Roofing Company PLC, London",
    [company("BRITISH ROOFING COMPANY PLC", office("London"))],
    [company("ROOFING TRADERS COMPANY LTD", office("London"))],
  ],
  [
    "read generic name: behind a comma, a country",
    "Global Kitchens Trading Ltd, England",
    [company("GLOBAL KITCHENS TRADING LTD", ELSEWHERE)],
  ],
  ["read generic name: its ending in the middle", "haulage plc uk", [company("HAULAGE PLC", ELSEWHERE)]],
  [
    "read generic name: nothing between it and the town",
    "Scaffolding Express London",
    [company("SCAFFOLDING EXPRESS LTD", office("London"))],
    [company("SCAFFOLDING TRAVEL LTD", office("London"))],
  ],
]);

export const namedJudgements = [...genericNames];
