/** Owns judgements of pasted names that are written in other parts than the register has: a web ending, a THE, an ending inside. */
import { COMPANIES, company, judgementsOf, office } from "./search-order-judgement.ts";

const HERE = office("Truro", "QZ5 8DA", "3 Harp Row");
const ELSEWHERE = office("Quornbeck", "QB8 8QD");
const LONE_ENDING = company("! LTD", ELSEWHERE);

const loneEndings = judgementsOf(COMPANIES, [
  [
    "read ending: behind a web ending, before a town and a postcode, is no name",
    "yoxelark.com ltd, truro QZ5 8DA",
    [company("YOXELARK.COM LTD", HERE)],
    [LONE_ENDING],
  ],
  [
    "read ending: behind a web ending and before a marker is no name",
    "Yoxelbury.com Ltd t/a The Velvet Otter",
    [company("YOXELBURY.COM LTD")],
    [LONE_ENDING],
  ],
  [
    "read ending: behind a web ending in a letter is no name",
    "Dear Yoxelharbour.com Limited,",
    [company("YOXELHARBOUR.COM LIMITED")],
    [company("!! LIMITED", ELSEWHERE)],
  ],
  [
    "read ending: before generic words alone",
    "Ltd Online Lettings",
    [company("ONLINE LETTINGS LTD", ELSEWHERE)],
    [company("ONLINE LETTINGS TRADING LTD", ELSEWHERE)],
  ],
]);

export const partJudgements = [...loneEndings];
