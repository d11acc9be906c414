/**
 * Owns judgements of people among other words or with slips: which of those who have some of the name is meant, of all kinds, and
 * the other names that a text gives.
 */
import { disqualified, judgementsOf, lives, person } from "./search-order-judgement.ts";

const kinds = judgementsOf("/search", [
  [
    "kinds beside other words: the person named exactly before a disqualified one of further forenames",
    "Maire O'Korrigall OBE",
    [
      person("Maire", "O'KORRIGALL"),
      person("Oisin Maire", "O'KORRIGALL", disqualified),
      person("Abel Maire", "O'KORRIGALL"),
    ],
  ],
  [
    "kinds beside other words: equals as where nothing is beside them",
    "Orla Korrimore (Director)",
    [person("Orla", "KORRIMORE", disqualified), person("Orla", "KORRIMORE")],
  ],
  [
    "kinds beside other words: the one who has the postcode",
    "Orla Korristane QZ7 1AA",
    [
      person("Orla", "KORRISTANE", lives("Yeovil", "QZ7 1AA")),
      person("Orla", "KORRISTANE", { ...disqualified, ...lives("Quornbeck", "QB8 8QD") }),
    ],
  ],
  [
    "kinds and a slip: the nearer name",
    "Pdraig Korrinmagh",
    [
      person("Padraig", "KORRINMAGH"),
      person("Maire Padriag", "KORRINMAHG", disqualified),
      person("Paddraig", "KORINMAGHE"),
    ],
  ],
  [
    "kinds and a slip: equals as where there is none",
    "Orla Korrintsow",
    [person("Orla", "KORRINSTOW", disqualified), person("Orla", "KORRINSTOW")],
  ],
]);

/** Judgements of people, with slips and among other words. */
export const personSlipJudgements = kinds;
