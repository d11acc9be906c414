/** Further judgements of how names are written: signs, punctuation, accents, THE, digits, joined words. */
import { COMPANIES, company, dissolved, judgementsOf } from "./search-order-judgement.ts";

const signs = judgementsOf(COMPANIES, [
  [
    "ampersand: & without spaces is the word AND, which is not the same as no word",
    "Brindlecote&Sons",
    [company("BRINDLECOTE AND SONS LTD"), company("BRINDLECOTE & SONS HOLDINGS LTD")],
    [company("BRINDLECOTE SONS LTD")],
  ],
  [
    "ampersand: letters beside & are not initials",
    "b and j corvane",
    [company("B & J CORVANE LIMITED"), company("B & J CORVANE MOTORS LTD"), company("CORVANE B AND J LTD")],
    [company("BJ CORVANE LTD")],
  ],
  [
    "ampersand: it may be missing between joined initials",
    "BW Corquell",
    [company("B & W CORQUELL LTD"), company("B&W CORQUELL HAULAGE LTD")],
    [company("B & T CORQUELL LTD")],
  ],
  ["ampersand: it may be missing between initials", "T J Corthack", [company("T & J CORTHACK HAULAGE LTD")]],
  [
    "ampersand: a name with it between initials is not found when there is one without it",
    "P.R. Corbold",
    [company("PR CORBOLD LTD")],
    [company("P & R CORBOLD LTD")],
  ],
  [
    "ampersand: a query may end in it",
    "tolbrook &",
    [company("TOLBROOK & CO LTD"), company("TOLBROOK ANDERS LTD")],
    [company("TOLBROOK LTD")],
  ],
  [
    "ampersand: + is PLUS, & is AND",
    "wexmere + holt & daughter ltd",
    [
      company("WEXMERE PLUS HOLT AND DAUGHTER LIMITED"),
      company("WEXMERE + HOLT & DAUGHTER LLP"),
      company("WEXMERE + HOLT & DAUGHTER GLASS LTD"),
    ],
    [company("WEXMERE & HOLT & DAUGHTER LTD")],
  ],
  [
    "signs: @ is AT",
    "dunsel@quay",
    [company("DUNSEL AT QUAY LTD"), company("DUNSEL @ QUAY NORTH LTD")],
    [company("DUNSEL QUAY LTD")],
  ],
  [
    "signs: £ is POUND",
    "£9 harlowmint",
    [company("POUND 9 HARLOWMINT LTD"), company("£9 HARLOWMINT STORES LTD")],
    [company("9 HARLOWMINT LTD")],
  ],
  [
    "signs: % is PERCENT, with or without a space",
    "50percent jessamyne",
    [company("50 % JESSAMYNE LTD"), company("50% JESSAMYNE SALES LTD")],
    [company("50 JESSAMYNE LTD")],
  ],
]);

const punctuation = judgementsOf(COMPANIES, [
  [
    "punctuation: dots and apostrophes do not count",
    "St. Aldwynne’s",
    [company("ST ALDWYNNES LTD"), company("ST. ALDWYNNE'S HALL LTD")],
    [company("ALDWYNNE LTD")],
  ],
  [
    "punctuation: dotted and spaced initials with an ending are the same",
    "p.j.m. forrestine ltd",
    [
      company("P J M FORRESTINE LIMITED"),
      company("PJM FORRESTINE LLP"),
      company("P.J.M. FORRESTINE HAULAGE LTD"),
      company("P J FORRESTINE LTD"),
    ],
  ],
  [
    "punctuation: a name of only initials",
    "tkv ltd",
    [company("T.K.V. LIMITED"), company("T K V PLC"), company("TKV STORES LTD"), company("TKVAR LTD")],
    [company("T K STORES V LTD")],
  ],
  [
    "punctuation: letters with hyphens are initials",
    "abc wraxholme",
    [company("A-B-C WRAXHOLME LTD"), company("A B C WRAXHOLME SOUTH LTD")],
  ],
  [
    "punctuation: initials after the name",
    "Dorvane K.T.",
    [company("DORVANE KT LTD"), company("DORVANE K T HOMES LTD"), company("KT DORVANE LTD")],
  ],
  [
    "punctuation: the first of joined initials is the beginning of a word",
    "h plomburgh",
    [company("H.W.Q. PLOMBURGH LTD"), company("W.H. PLOMBURGH LTD")],
  ],
  [
    "punctuation: a slash separates, the key joins",
    "grubenwald hoyle",
    [company("GRUBENWALD/HOYLE LTD"), company("GRUBENWALDHOYLE SPARES LTD"), company("HOYLE-GRUBENWALD LTD")],
  ],
  [
    "punctuation: quotes and brackets do not count",
    '"Yestermoor" [Books]',
    [company("YESTERMOOR (BOOKS) LTD"), company("YESTERMOOR “BOOKS” ABROAD LTD")],
  ],
  [
    "punctuation: a dot inside a word separates, the key joins",
    "farndrethcom",
    [company("FARNDRETH.COM LTD"), company("FARNDRETH COMPUTERS LTD"), company("FARNDRETH COM NETWORK LTD")],
    [company("FARNDRETH LTD")],
  ],
  [
    "punctuation: every dash is a hyphen",
    "loxhay — quint",
    [company("LOXHAY-QUINT LTD"), company("LOXHAY – QUINT PARK LTD"), company("LOXHAY QUINTON LTD")],
  ],
  [
    "punctuation: U.K., (UK) and UK in front",
    "U.K. marrowfen",
    [company("(UK) MARROWFEN LTD"), company("UK MARROWFEN FARMS LTD"), company("MARROWFEN UK LTD")],
  ],
]);

const accents = judgementsOf(COMPANIES, [
  [
    "accents: in the query, in the name, in both",
    "señora łapwing",
    [company("SENORA LAPWING LTD"), company("SEÑORA ŁAPWING FILMS LTD"), company("LAPWING SEÑORA LTD")],
  ],
  [
    "accents: thorn and eth",
    "Þorsgarð",
    [company("THORSGARD LTD"), company("ÞORSGARÐ NORTH LTD"), company("THORSGARDEN LTD")],
  ],
  [
    "accents: sharp s, upper and lower case",
    "straßenholm",
    [company("STRASSENHOLM LTD"), company("STRAẞENHOLM NORD LTD")],
  ],
  ["accents: combining marks", "cre\u0300melune", [company("CRÈMELUNE LTD"), company("CREMELUNE BARS LTD")]],
  [
    "accents: Welsh ones, with a Welsh ending",
    "Tŷ Gwynmôr Cyf",
    [company("TY GWYNMOR CYFYNGEDIG"), company("TŶ GWYNMÔR CCC")],
  ],
  [
    "accents: full-width letters",
    "ｏｒｖｅｎｗｏｌｄ",
    [company("ORVENWOLD LTD"), company("ＯＲＶＥＮＷＯＬＤ 2 LTD")],
  ],
]);

const the = judgementsOf(COMPANIES, [
  [
    "the: inverted in the query",
    "ombersay club, the",
    [company("THE OMBERSAY CLUB LTD"), company("OMBERSAY CLUB HOUSE LTD")],
  ],
  [
    "the: inverted in the name, with and without brackets",
    "the dunverlo guild limited",
    [
      company("DUNVERLO GUILD LTD.THE", { company_number: "89000011" }),
      company("DUNVERLO GUILD LIMITED (THE)", { company_number: "89000012" }),
      company("THE DUNVERLO GUILD PLC"),
      company("THE DUNVERLO GUILDHALL LTD"),
    ],
  ],
  [
    "the: inside a name it counts",
    "over the quessel",
    [company("OVER THE QUESSEL LTD")],
    [company("OVER QUESSEL LTD")],
  ],
  [
    "the: it does not count only if it is a word",
    "theatre wimbrough",
    [
      company("THEATRE WIMBROUGH LTD"),
      company("THE ATREWIMBROUGH HALL LTD", { was: "THEATRE WIMBROUGH HALL LTD" }),
    ],
  ],
]);

const digits = judgementsOf(COMPANIES, [
  [
    "digits: spaces between them do not count",
    "3 6 0 wexleigh",
    [company("360 WEXLEIGH LTD"), company("360 WEXLEIGH CAMERAS LTD"), company("36 WEXLEIGH LTD")],
  ],
  [
    "digits: number words are different words",
    "two marshings",
    [company("TWO MARSHINGS LTD"), company("TWO MARSHINGS FARM LTD")],
    [company("2 MARSHINGS LTD")],
  ],
  [
    "digits: letters stay with them",
    "1st barrowell",
    [company("1ST BARROWELL LTD"), company("1 ST BARROWELLS LTD")],
    [company("1 BARROWELL LTD")],
  ],
  [
    "digits: in brackets",
    "kelderwyn 2009",
    [company("KELDERWYN (2009) LTD"), company("KELDERWYN (2009) TOURS LTD"), company("KELDERWYN 20095 LTD")],
    [company("KELDERWYN LTD")],
  ],
]);

const compound = judgementsOf(COMPANIES, [
  [
    "compound: joined query, then its beginnings",
    "ironcastleworks",
    [company("IRON CASTLE WORKS LTD"), company("IRONCASTLE WORKSHOPS LTD")],
    [company("IRON WORKS CASTLE LTD")],
  ],
  [
    "compound: a space too many and a slip",
    "nor thwickle mils",
    [company("NORTHWICKLE MILLS LTD"), company("NORTHWYCKLE MILLS LTD")],
    [company("NORTHWICKLE LTD")],
  ],
  [
    "compound: a space too few and two letters swapped",
    "bleuharbourne boats",
    [company("BLUE HARBOURNE BOATS LTD")],
    [company("BLUE BOATS LTD")],
  ],
  [
    "compound: a near joined name is ranked by its slips, not by its words",
    "wood larksen",
    [company("WOODLARKSON LTD", dissolved), company("WOAD LARKSON LTD")],
  ],
]);

export const nameJudgements = [...signs, ...punctuation, ...accents, ...the, ...digits, ...compound];
