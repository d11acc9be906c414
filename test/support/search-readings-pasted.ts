/** Owns judgements of companies as pages and letters write of them, which say more or less than the register does. */
import { COMPANIES, company, judgementsOf } from "./search-order-judgement.ts";

const of = (company_number: string) => company(`HALDERBY ${company_number} LTD`, { company_number });

const numbers = judgementsOf(COMPANIES, [
  [
    "read number: of Scotland, without its prefix",
    "Registered in Scotland No. 90391",
    [of("SC090391")],
    [of("00090391")],
  ],
  [
    "read number: of England and Scotland, none of which is the one meant",
    "Registered in England and Scotland with number 90394",
    [of("00090394")],
    [of("SC090394")],
  ],
  [
    "read number: of Northern Ireland, without its prefix",
    "Registered in Northern Ireland No. 90392",
    [of("NI090392")],
    [of("00090392")],
  ],
  [
    "read number: in groups behind a country",
    "Registered in England No. 0903 9393",
    [of("09039393")],
    [of("00000903")],
  ],
]);

export const pastedJudgements = [...numbers];
