/**
 * Judgements of companies beside an address, of names that share words with one, and of names before PRIVATE LIMITED.
 */
import { COMPANIES, company, dissolved, judgementsOf, office } from "./search-order-judgement.ts";

const ELSEWHERE = office("Quornbeck", "QB8 8QE");

const streets = judgementsOf(COMPANIES, [
  [
    "read address: alone, before names near its words",
    "80 Mill Road, London, QZ8 1WA",
    [
      company("ABBERDOVE LTD", { ...office("London", "QZ8 1WA", "80 Mill Road"), ...dissolved }),
      company("WIXLARK HILL LTD", office("London", "QZ8 9WA", "80 Station Road")),
    ],
  ],
  [
    "read address: alone, before names and addresses near its number",
    "230 Green Lane QZ8 1WB",
    [
      company("ABBERDALE LTD", { ...office("Quornlow", "QZ8 1WB", "230 Green Lane"), ...dissolved }),
      company("HALDERBY 230 LTD", office("Quornlow", "QZ8 9WB", "150 Green Lane")),
      company("HALDERBY 290 LTD", office("Quornlow", "QZ8 9WB", "150 Green Lane")),
    ],
  ],
  [
    "read address: the number of a house and its postcode, before names near the number",
    "7230 QZ8 1WD",
    [
      company("ABBERDENE LTD", office("Quornlow", "QZ8 1WD", "7230 Zexlark Lane")),
      company("HALDERBY 7239 LTD", ELSEWHERE),
    ],
    [company("ABBERDANE LTD", office("Quornlow", "QZ8 1WD", "7231 Zexlark Lane"))],
  ],
  [
    "read address: of a company whose name begins with a number, before companies that have its house",
    "1st Yixlark Lofts, 12 Yaxlark Lane, Quornlow QZ8 1WE",
    [
      company("1ST YIXLARK LOFTS LTD", office("Quornlow", "QZ8 1WE", "12 Yaxlark Lane")),
      company("ABBERDEAN LTD", office("Quornlow", "QZ8 1WE", "12 Yaxlark Lane")),
    ],
  ],
  [
    "read address: most of it, after a name that has its words",
    "12 Mill Road Management, Leeds QZ8 1WF",
    [
      company("12 MILL ROAD MANAGEMENT COMPANY LTD", office("Leeds", "QZ8 1WF", "12 Mill Road")),
      company("ABBERDINE LTD", office("Leeds", "QZ8 1WF", "12 Mill Road")),
    ],
  ],
  [
    "read address: most of it, after a name that has its words with others in between",
    "14 Fell Road Management, Leeds QZ8 1WG",
    [
      company("14 FELL ROAD (LEEDS) MANAGEMENT LTD", office("Leeds", "QZ8 1WG", "14 Fell Road")),
      company("ABBERDONE LTD", office("Leeds", "QZ8 1WG", "14 Fell Road")),
    ],
  ],
  [
    "read address: after a name with its words, after a name that has others in between",
    "16 Dell Road Management Company Ltd, 16 Dell Road, Leeds QZ8 1WH",
    [
      company("16 DELL ROAD (LEEDS) MANAGEMENT COMPANY LTD", office("Leeds", "QZ8 1WH", "16 Dell Road")),
      company("ABBERDUNE LTD", office("Leeds", "QZ8 1WH", "16 Dell Road")),
    ],
  ],
  [
    "read address: most of it, after a name before a town without a comma",
    "18 Hall Road Freehold Leeds QZ8 1WJ",
    [
      company("18 HALL ROAD FREEHOLD COMPANY LTD", office("Leeds", "QZ8 1WJ", "18 Hall Road")),
      company("ABBERDYNE LTD", office("Leeds", "QZ8 1WJ", "18 Hall Road")),
    ],
  ],
]);

const townsAndPostcodes = judgementsOf(COMPANIES, [
  [
    "read address: a town and its postcode, before companies named like the town",
    "Wantage QZ8 2WA",
    [
      company("ABBERWICK LTD", { ...office("Wantage", "QZ8 2WA"), ...dissolved }),
      company("WANTAGE LTD", ELSEWHERE),
      company("HALDERBY AA LTD", { was: "WANTAGE LTD", ...ELSEWHERE }),
    ],
  ],
  [
    "read address: a town and its postcode, after the company named like the town there",
    "Wantage QZ8 2WG",
    [
      company("WANTAGE LTD", office("Wantage", "QZ8 2WG")),
      company("ABBERWECK LTD", office("Wantage", "QZ8 2WG")),
      company("ABBERWOCK LTD", office("Wantage", "QZ8 2WG")),
    ],
  ],
  [
    "read address: two towns and a postcode, after the company named like both there",
    "Lincoln Boston QZ8 2WH",
    [
      company("LINCOLN BOSTON LTD", office("Lincoln", "QZ8 2WH")),
      company("ABBERWIDGE LTD", office("Lincoln", "QZ8 2WH")),
    ],
  ],
  [
    "read address: a town and its postcode, after the company named like the town there whose address has another",
    "Ripon QZ8 2WJ",
    [
      company("RIPON LTD", office("Quornbeck", "QZ8 2WJ")),
      company("ABBERWADGE LTD", office("Ripon", "QZ8 2WJ")),
    ],
  ],
  [
    "read address: a town after its postcode and a comma",
    "QZ8 2WB, Thirsk",
    [
      company("ABBERWOLD LTD", { ...office("Thirsk", "QZ8 2WB"), ...dissolved }),
      company("THIRSK LTD", ELSEWHERE),
    ],
  ],
  [
    "read address: a town, its postcode and a county that the register leaves out",
    "Totnes, Devon QZ8 2WD",
    [
      company("ABBERWORTH LTD", { ...office("Totnes", "QZ8 2WD"), ...dissolved }),
      company("TOTNES LTD", ELSEWHERE),
    ],
  ],
  [
    "read address: a town and a postcode elsewhere are a company of this name",
    "Ripon QZ8 2WE",
    [company("RIPON LTD", ELSEWHERE)],
    [company("ABBERWATH LTD", office("Quornlow", "QZ8 2WE"))],
  ],
  [
    "read address: a town, its postcode and an ending are a company of this name",
    "Witney Ltd QZ8 2WF",
    [company("WITNEY LTD", ELSEWHERE)],
    [company("ABBERWAITE LTD", office("Witney", "QZ8 2WF"))],
  ],
]);

const privateCompanies = judgementsOf(COMPANIES, [
  [
    "read name: before PRIVATE LIMITED, before longer ones",
    "Tharquidge Tiles Private Limited",
    [
      company("THARQUIDGE TILES LTD", { ...ELSEWHERE, ...dissolved }),
      company("THARQUIDGE TILES OF YEOVIL LTD", ELSEWHERE),
    ],
  ],
  [
    "read name: before PRIVATE LIMITED, after one that has it",
    "Ovrinquall Tiles Private Ltd, Yeovil",
    [company("OVRINQUALL TILES PRIVATE LIMITED", ELSEWHERE), company("OVRINQUALL TILES LTD", ELSEWHERE)],
  ],
  [
    "read name: before the register's words for a private company",
    "Ovrinquell Tiles Private Limited Company",
    [company("OVRINQUELL TILES LTD", ELSEWHERE)],
  ],
  [
    "read name: PRIVATE LIMITED inside it ends no other name",
    "Quarn Private Limited Editions, Leeds",
    [company("QUARN PRIVATE LIMITED EDITIONS LTD", office("Leeds", "QZ8 4WA"))],
    [company("QUARN LTD", office("Leeds", "QZ8 4WB"))],
  ],
  [
    "read name: before PRIVATE LIMITED and a place without a comma",
    "Tharquodge Private Limited Leeds",
    [company("THARQUODGE LTD", ELSEWHERE)],
  ],
]);

const words = judgementsOf(COMPANIES, [
  [
    "read address: a word of it counts for less than one of the name",
    "St. Ovrin's Church Oshcombe Parish Limited",
    [
      company("ST. OVRIN'S CHURCH OSHCOMBE LTD", office("Quornlow", "QZ8 3WA", "153 Low Row")),
      company("ST. OVRIN'S HOSPICE OSHCOMBE LIMITED", office("Quornlow", "QZ8 3WB", "6 Church Street")),
    ],
  ],
]);

const near = judgementsOf(COMPANIES, [
  [
    "read address: a word near one of the address is not part of it",
    "why Quelstow Ovens",
    [
      company("QUELSTOW OVENS LTD"),
      company("QUELSTOWE OVENS LTD", {
        registered_office_address: { address_line_1: "1 Way", locality: "Quornbeck" },
      }),
    ],
  ],
  [
    "read address: a misspelt town still finds a misspelt name",
    "Quelsterd, Bristl",
    [company("QUELSTARD LTD", { registered_office_address: { locality: "Bristol" } })],
  ],
]);

export const addressJudgements = [...streets, ...townsAndPostcodes, ...words, ...privateCompanies, ...near];
