/** Further judgements of the advanced search: which companies its filters keep, in the order of the register. */
import { company, dissolved, type OrderJudgement } from "./search-order-judgement.ts";

const ADVANCED = "/advanced-search/companies";
const AVAILABILITY = "/name-availability/companies";

function filtered(
  rule: string,
  params: Record<string, string>,
  inOrder: OrderJudgement["inOrder"],
  absent: OrderJudgement["inOrder"] = [],
): OrderJudgement {
  return { rule, path: ADVANCED, params, inOrder, absent };
}

export const filterJudgements = [
  filtered(
    "includes-excludes: initials in any form",
    { company_name_includes: "j.p.q. vendelby" },
    [company("JPQ VENDELBY LTD"), company("J P Q VENDELBY AND SONS LTD"), company("VENDELBY (J.P.Q.) LTD")],
    [company("J P VENDELBY LTD"), company("VENDELBY LTD", { was: "JPQ VENDELBY LTD" })],
  ),
  filtered(
    "includes-excludes: letters in brackets are not initials of the name before them",
    { company_name_includes: "vendelwold v uk" },
    [company("VENDELWOLD V (U.K.) LTD")],
    [company("VENDELWOLD VUK LTD")],
  ),
  {
    rule: "name availability: letters in brackets are no initials of the name before them",
    path: AVAILABILITY,
    q: "Vendelfarthing V Ltd",
    inOrder: [company("VENDELFARTHING V (U.K.) LIMITED")],
    absent: [company("VENDELFARTHING VUK LTD")],
  },
  filtered(
    "includes-excludes: a leading THE does not count",
    { company_name_includes: "the vendelbrook brothers" },
    [company("VENDELBROOK BROTHERS LTD"), company("THE VENDELBROOK BROTHERS TRADING LTD")],
    [company("THE VENDELBROOK LTD")],
  ),
  filtered(
    "includes-excludes: a THE inside counts",
    { company_name_includes: "vendelbrand the" },
    [company("VENDELBRAND & THE OTTER LTD")],
    [company("VENDELBRAND LTD")],
  ),
  filtered(
    "includes-excludes: an ending is a word",
    { company_name_includes: "vendelmoor", company_name_excludes: "limited group" },
    [company("VENDELMOOR LLP"), company("VENDELMOOR SALES P.L.C.")],
    [company("VENDELMOOR LTD"), company("VENDELMOOR ARTS LIMITED"), company("VENDELMOOR GROUP PLC")],
  ),
  filtered(
    "includes-excludes: whole words only",
    { company_name_includes: "vendelstrand cafe" },
    [company("CAFÉ VENDELSTRAND LTD")],
    [company("VENDELSTRAND CAFES LTD")],
  ),
  filtered(
    "location: words in any order, of any part",
    { company_name_includes: "vendelhurst", location: "za1 tarnby quill" },
    [
      company("VENDELHURST A LTD", {
        registered_office_address: {
          premises: "Quill",
          address_line_1: "Row",
          locality: "Tarnby",
          postal_code: "ZA1 1AA",
        },
      }),
    ],
    [
      company("VENDELHURST B LTD", {
        registered_office_address: { address_line_1: "Quill Row", locality: "Tarn", postal_code: "ZA1 1AA" },
      }),
    ],
  ),
  filtered(
    "dates: ranges of creation and cessation include both ends",
    {
      company_name_includes: "vendelford",
      incorporated_from: "2001-02-03",
      incorporated_to: "2001-02-04",
      dissolved_from: "2010-01-01",
      dissolved_to: "2010-01-01",
    },
    [
      company("VENDELFORD A LTD", { date_of_creation: "2001-02-04", date_of_cessation: "2010-01-01" }),
      company("VENDELFORD Z LTD", { date_of_creation: "2001-02-03", date_of_cessation: "2010-01-01" }),
    ],
    [
      company("VENDELFORD B LTD", { date_of_creation: "2001-02-05", date_of_cessation: "2010-01-01" }),
      company("VENDELFORD C LTD", { date_of_creation: "2001-02-03", date_of_cessation: "2010-01-02" }),
      company("VENDELFORD D LTD", { date_of_creation: "2001-02-03" }),
    ],
  ),
  filtered(
    "status: any of a list, in any letter case, with a type",
    { company_name_includes: "vendelgate", company_status: "Dissolved,ADMINISTRATION", company_type: "plc" },
    [
      company("VENDELGATE A PLC", { type: "plc", ...dissolved }),
      company("VENDELGATE B PLC", { type: "plc", company_status: "administration" }),
    ],
    [company("VENDELGATE C PLC", { type: "plc" }), company("VENDELGATE D LTD", dissolved)],
  ),
  filtered(
    "sic: any of a list, with a subtype",
    {
      company_name_includes: "vendelcroft",
      sic_codes: "11111,22222",
      company_subtype: "community-interest-company",
    },
    [company("VENDELCROFT A CIC", { sic_codes: ["00001", "22222"], subtype: "community-interest-company" })],
    [
      company("VENDELCROFT B CIC", { sic_codes: ["33333"], subtype: "community-interest-company" }),
      company("VENDELCROFT C LTD", { sic_codes: ["11111"] }),
    ],
  ),
];
