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

const escapes = judgementsOf(COMPANIES, [
  [
    "escaped sign: an ampersand",
    "Vorrendale &amp; Brunst Ltd",
    [company("VORRENDALE & BRUNST LTD"), company("VORRENDALE & BRUNSTAN LTD")],
    [company("BRUNST LTD"), company("VORRENDALE LTD")],
  ],
  ["escaped sign: an apostrophe", "Vorrenfold&#39;s Press", [company("VORRENFOLD'S PRESS LTD")]],
  ["escaped sign: escaped twice", "Vorrenford&amp;#039;s Press", [company("VORRENFORD'S PRESS LTD")]],
  ["escaped sign: quotation marks", "&quot;Vorrengate Press&quot;", [company("VORRENGATE PRESS LTD")]],
  [
    "escaped sign: an apostrophe in another encoding",
    "Vorrenhopeâ€™s Press",
    [company("VORRENHOPE'S PRESS LTD")],
  ],
  ["escaped sign: a dash in another encoding", "Vorrenlow â€“ Press", [company("VORRENLOW PRESS LTD")]],
  [
    "escaped sign: none behind a mere ampersand",
    "Vorrenmoor &Amp Ltd",
    [company("VORRENMOOR & AMP LTD")],
    [company("VORRENMOOR & LTD")],
  ],
]);

export const pastedJudgements = [...numbers, ...escapes];
