/** Owns the sections of the disqualification acts: what the registrar's section text means in the API's words. */
import { RecordError } from "../../api/core/errors.ts";
import type { DisqualificationReason } from "../../api/resources/disqualified-officer/record.ts";

interface Act {
  act: string;
  /** Northern Ireland's order has articles, the other acts have sections. */
  member: "article" | "section";
  /** `S7` is shown as 7; the regulations' `16A` has no letter to drop. */
  dropsLetter: boolean;
}

// By the first word. The year is not compared: `CDDO 1986` occurs.
const ACTS: Record<string, Act> = {
  CDDA: { act: "company-directors-disqualification-act-1986", member: "section", dropsLetter: true },
  CDDO: {
    act: "company-directors-disqualification-northern-ireland-order-2002",
    member: "article",
    dropsLetter: true,
  },
  SAMLA: { act: "sanctions-anti-money-laundering-act-2018", member: "section", dropsLetter: true },
  "CT-REGS": { act: "sanctions-counter-terrorism-regulations-2019", member: "section", dropsLetter: false },
};

const DESCRIPTIONS: Record<string, string> = {
  S2: "conviction-of-indictable-offence",
  S3: "persistent-breaches-of-companies-legislation",
  S4: "fraud-etc-in-winding-up",
  S5: "summary-conviction",
  S5A: "certain-convictions-abroad",
  A8A: "certain-convictions-abroad",
  S6: "court-to-disqualify-unfit-directors-of-insolvent-companies",
  A9: "high-court-to-disqualify-unfit-directors-of-insolvent-companies",
  S7: "order-or-undertaking-and-reporting-provisions",
  A10: "order-or-undertaking-and-reporting-provisions",
  S8: "investigation-of-company",
  A11: "investigation-of-company",
  S8ZA: "order-disqualifying-a-person-instructing-an-unfit-director-of-an-insolvent-company",
  A11A: "order-disqualifying-a-person-instructing-an-unfit-director-of-an-insolvent-company",
  S8ZD: "order-disqualifying-a-person-instructing-an-unfit-director",
  A11D: "order-disqualifying-a-person-instructing-an-unfit-director",
  S8ZC: "undertaking-disqualifying-a-person-instructing-an-unfit-director-of-an-insolvent-company",
  S8ZE: "undertaking-disqualifying-a-person-instructing-an-unfit-director",
  S9: "matters-determining-unfitness-of-directors",
  S9A: "competition-and-markets-authority-disqualification-order",
  A13A: "competition-and-markets-authority-disqualification-order",
  S9B: "competition-and-markets-authority-disqualification-undertaking",
  A13B: "competition-and-markets-authority-disqualification-undertaking",
  S10: "participation-in-wrongful-trading",
  A14: "participation-in-wrongful-trading",
  A5: "conviction-of-offence-punishable-on-indictment-or-conviction-on-indictment-or-summary-conviction",
  A6: "persistent-default-under-companies-legislation",
  A7: "fraud-etc-in-winding-up",
  A8: "summary-conviction-of-offence",
  A11C: "undertaking-instead-of-order-under-article-11a",
  A11E: "undertaking-instead-of-order-under-article-11d",
  S3A: "disqualification-under-sanctions-regulation",
  "16A": "disqualification-under-sanctions-regulation",
};

const TYPES: Record<string, string> = {
  ORDER: "court-order",
  UNDERTAKING: "undertaking",
  SANCTION: "sanction",
};

/** `CDDA 1986 S7` to act, description and section 7. Throws RecordError for a section that is not in the tables. */
export function readReason(section: string): DisqualificationReason {
  const [word = "", , place = ""] = section.toUpperCase().split(/\s+/);
  const act = ACTS[word];
  const description = DESCRIPTIONS[place];
  if (!act || !description) throw new RecordError(`is not known: ${section || "(blank)"}`, "section");
  const number = act.dropsLetter ? place.slice(1) : place;
  return { description_identifier: description, act: act.act, [act.member]: number };
}

/** `ORDER`, `UNDERTAKING` or `SANCTION` in the API's words. Throws RecordError for anything else. */
export function readDisqualificationType(text: string): string {
  const type = TYPES[text.toUpperCase()];
  if (!type) throw new RecordError(`is not known: ${text || "(blank)"}`, "disqualification_type");
  return type;
}
