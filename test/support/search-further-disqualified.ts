/** Further judgements of disqualified officers. */
import { body, DISQUALIFIED, disqualified, expired, judgementsOf, person } from "./search-order-judgement.ts";

export const disqualifiedJudgements = judgementsOf(DISQUALIFIED, [
  [
    "in-force: comes before expired among equals in every tier",
    "Osbert Fallowdene",
    [
      person("Osbert", "FALLOWDENE", expired),
      person("Osbert Ivo", "FALLOWDENE", disqualified),
      person("Osbert Abe", "FALLOWDENE", expired),
      person("Ivo Osbert", "FALLOWDENE", disqualified),
      person("Abe Osbert", "FALLOWDENE", expired),
    ],
  ],
  [
    "in-force: comes before expired for a query of one word",
    "fallowmere",
    [person("Zeb", "FALLOWMERE", disqualified), person("Abe", "FALLOWMERE", expired)],
  ],
  [
    "order: surname first with a comma and a title",
    "QUARLESTON, Mr Jude",
    [person("Jude", "QUARLESTON", expired), person("Judeth", "QUARLESTON", disqualified)],
  ],
  [
    "title: a forename that is also a title, after another title",
    "Mr Dean Quarlewick",
    [person("Dean", "QUARLEWICK", disqualified)],
    [person("Anna", "QUARLEWICK", disqualified)],
  ],
  [
    "title: a forename that is also a title, which nobody has, finds nobody else, even beside a town",
    "Mr Earl Quarleworth, Leeds",
    [],
    [person("Anna", "QUARLEWORTH", disqualified)],
  ],
  [
    "corporate: a name with another form of its ending comes before a longer one",
    "glasswold trading limited",
    [body("GLASSWOLD TRADING LTD", expired), body("GLASSWOLD TRADING GROUP LTD", disqualified)],
    [body("GLASSWOLD LTD", disqualified)],
  ],
  [
    "typo: a nearer spelling comes before one in force",
    "Basil Underlathe",
    [person("Basil", "UNDERLATH", expired), person("Basil", "UNDURLATH", disqualified)],
  ],
  [
    "typo: of equally near spellings, the one in force comes first",
    "Cyrus Pontefrane",
    [person("Cyrus", "PONTEFRAN", disqualified), person("Cyrus", "PONTEFRAINE", expired)],
  ],
]);
