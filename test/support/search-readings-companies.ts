/** Judgements of company names that people paste with a number, a town, a postcode or an address. */
import { COMPANIES, company, dissolved, judgementsOf, numbered, office } from "./search-order-judgement.ts";

const HERE = "Yeovil";
const ELSEWHERE = office("Quornbeck", "QB8 8QB");

const numbers = judgementsOf(COMPANIES, [
  [
    "read number: in brackets after the ending, puts the matching namesake first",
    "Voxhamble Tilery Ltd (88220011)",
    [
      company("VOXHAMBLE TILERY LTD", { company_number: "88220011" }),
      company("VOXHAMBLE TILERY LTD", { company_number: "88110011" }),
    ],
  ],
  [
    "read number: after the name, puts a dissolved namesake first",
    "wexlorn gate 88220012",
    [
      company("WEXLORN GATE LTD", { company_number: "88220012", ...dissolved }),
      company("WEXLORN GATE LTD", { company_number: "88110012" }),
    ],
  ],
  ["read number: after Company No.", "Company No. 88220013", [numbered("88220013")], [numbered("88220014")]],
  [
    "read number: after a word that is not a name, before companies of that name",
    "Company 88220031",
    [numbered("88220031"), company("THE COMPANY LTD")],
  ],
  ["read number: after the register", "Companies House 88220032", [numbered("88220032")]],
  ["read number: after the sign #", "#88220015", [numbered("88220015")]],
  ["read number: after a long label", "Company Registration Number: 88220016", [numbered("88220016")]],
  [
    "read number: in a sentence",
    "Registered in England and Wales with number 88220017",
    [numbered("88220017")],
  ],
  ["read number: zeros lost after a label", "company number 882201", [numbered("00882201")]],
  [
    "read number: with a prefix, after a name",
    "Xandrethorpe Foundry SC882018",
    [
      company("XANDRETHORPE FOUNDRY LTD", { company_number: "SC882018" }),
      company("XANDRETHORPE FOUNDRY LTD", { company_number: "SC111018" }),
    ],
  ],
  [
    "read number: before the name",
    "CRN 88220019 Wuxtraby Forge Ltd",
    [
      company("WUXTRABY FORGE LTD", { company_number: "88220019" }),
      company("WUXTRABY FORGE LTD", { company_number: "88110019" }),
    ],
  ],
  [
    "read number: of a company that has another name by now",
    "Yttrigale Bakers (88220020)",
    [numbered("88220020")],
  ],
]);

const towns = judgementsOf(COMPANIES, [
  [
    "read place: after the name, puts the matching namesake first",
    "Pelquith Looms Yeovil",
    [company("PELQUITH LOOMS LTD", office(HERE)), company("PELQUITH LOOMS LTD", ELSEWHERE)],
    [company("ZANDERLOOM LTD", ELSEWHERE)],
  ],
  [
    "read place: puts a dissolved namesake first",
    "Pondervex Looms, Yeovil",
    [
      company("PONDERVEX LOOMS LTD", { ...office(HERE), ...dissolved }),
      company("PONDERVEX LOOMS LTD", ELSEWHERE),
    ],
  ],
  [
    "read place: after the ending and a comma",
    "PELQUARN KILNS LTD, YEOVIL",
    [company("PELQUARN KILNS LTD", office(HERE)), company("PELQUARN KILNS LTD", ELSEWHERE)],
    [company("KILNS OF YEOVIL LTD")],
  ],
  [
    "read place: after an ending in the middle",
    "brixolde kennels ltd yeovil",
    [company("BRIXOLDE KENNELS LIMITED", office(HERE)), company("BRIXOLDE KENNELS PLC", ELSEWHERE)],
  ],
  [
    "read place: before the name, before names with slips that have all words",
    "Yeovil Frumblor Cycles Ltd",
    [company("FRUMBLOR CYCLES LTD", office(HERE)), company("FRUMBLUR YEOVIL CYCLES LTD", ELSEWHERE)],
  ],
  [
    "read place: after a comma, before names with slips that have all words",
    "Frumblax Cycles, Yeovil",
    [
      company("FRUMBLAX CYCLES LTD", office(HERE)),
      company("FRUMBLEX YEOVIL CYCLES LTD", ELSEWHERE),
      company("FRUMBLAX CYCLES LTD", ELSEWHERE),
    ],
  ],
  [
    "read place: in a name, beside a postcode, before a company there with a part of that name",
    "QZ4 7XV Frumblin (Yeovil) Ltd",
    [
      company("FRUMBLIN (YEOVIL) LTD", office("Quornbeck", "QZ4 7XV")),
      company("FRUMBLIN LTD", office(HERE, "QZ4 9XV")),
    ],
  ],
  [
    "read place: a name of generic words beside it, after the same name that has it",
    "Yeovil Kitchens",
    [company("YEOVIL KITCHEN LTD", office(HERE)), company("KITCHENS LTD", office(HERE))],
  ],
  [
    "read place: all of its words count as one word",
    "Frumblyx Western (Stockton-on-Tees) Services Ltd",
    [company("FRUMBLYX WESTERN SERVICES LTD"), company("FRUMBLYX (STOCKTON-ON-TEES) COURIERS LTD")],
  ],
  ["read place: before the name", "Yeovil Frumblix Cycles", [company("FRUMBLIX CYCLES LTD", office(HERE))]],
  [
    "read place: of two words",
    "Glimvart Saddlery Upper Zandrick",
    [company("GLIMVART SADDLERY LTD", office("Upper Zandrick"))],
    [company("UPPER GLASS LTD", office("Upper Zandrick"))],
  ],
  [
    "read place: in brackets",
    "GRUMVALD CHANDLERS (YEOVIL)",
    [company("GRUMVALD CHANDLERS LTD", office(HERE))],
  ],
  [
    "read place: after a word such as OF",
    "Snorvick Tanners of Yeovil",
    [company("SNORVICK TANNERS LTD", office(HERE))],
  ],
  [
    "read place: another place after a comma hides no company",
    "Druxelmoor, Yeovil",
    [company("DRUXELMOOR LTD", ELSEWHERE)],
  ],
  ["read place: a name of one word", "Drazmondy Yeovil", [company("DRAZMONDY LTD", office(HERE))]],
  [
    "read place: another place after an ending hides no company",
    "Drummelquist Ltd, Yeovil",
    [company("DRUMMELQUIST LTD", ELSEWHERE)],
  ],
]);

const postcodes = judgementsOf(COMPANIES, [
  [
    "read postcode: after the name, puts the matching namesake first",
    "Thrandolby Organs QZ4 7XR",
    [
      company("THRANDOLBY ORGANS LTD", office(HERE, "QZ4 7XR")),
      company("THRANDOLBY ORGANS LTD", office(HERE, "QZ4 9XR")),
    ],
  ],
  [
    "read postcode: lower case, without its space",
    "thrupplewick organs qz47xs",
    [company("THRUPPLEWICK ORGANS LTD", office(HERE, "QZ4 7XS"))],
  ],
  [
    "read postcode: after the ending",
    "THORNAXE ORGANS LIMITED, QZ4 7XT",
    [company("THORNAXE ORGANS LTD", office(HERE, "QZ4 7XT"))],
  ],
  [
    "read postcode: after a town",
    "Tuvalcroft Organs, Yeovil QZ4 7XU",
    [
      company("TUVALCROFT ORGANS LTD", office(HERE, "QZ4 7XU")),
      company("TUVALCROFT ORGANS LTD", office(HERE)),
    ],
  ],
  [
    "read postcode: another postcode hides no company",
    "Tembrovale Organs QZ4 7XW",
    [company("TEMBROVALE ORGANS LTD", ELSEWHERE)],
  ],
  [
    "read postcode: alone, companies with it in the order of names",
    "QZ5 3WA",
    [company("ARKENVOLE LTD", office(HERE, "QZ5 3WA")), company("BORKENVOLE LTD", office(HERE, "QZ5 3WA"))],
    [company("CORKENVOLE LTD", office(HERE, "QZ5 3WB"))],
  ],
  ["read postcode: alone, without its space", "qz53wd", [company("DORKENVOLE LTD", office(HERE, "QZ5 3WD"))]],
]);

const addresses = judgementsOf(COMPANIES, [
  [
    "read address: by commas",
    "Ormskettle Press Limited, Unit 4 Vane Mill, 12 Harp Street, Quornbeck, QB2 9ZT",
    [
      company("ORMSKETTLE PRESS LIMITED", office("Quornbeck", "QB2 9ZT", "12 Harp Street")),
      company("ORMSKETTLE PRESS LIMITED", office("Lowbeck", "LB2 9ZT", "12 Vane Mill")),
    ],
    [company("HARP LTD", office("Quornbeck", "QB2 8ZT"))],
  ],
  [
    "read address: by lines",
    "Vintrebeck Ales Ltd\nThe Old Kiln\nQuornlow\nQB3 9ZT\nUnited Kingdom",
    [company("VINTREBECK ALES LTD", office("Quornlow", "QB3 9ZT", "The Old Kiln"))],
    [company("THE OLD KILN LTD")],
  ],
  [
    "read address: by commas, after a name without its ending",
    "Snettlequip Gears, 3 Lark Row, Quornlow, England",
    [company("SNETTLEQUIP GEARS LTD", office("Quornlow", "QB4 9ZT", "3 Lark Row"))],
  ],
  [
    "read address: without commas",
    "Sprunglethwaite Ltd 7 Lark Row Quornlow QB4 9ZU",
    [company("SPRUNGLETHWAITE LTD", office("Quornlow", "QB4 9ZU", "7 Lark Row"))],
  ],
]);

const lanes = judgementsOf(COMPANIES, [
  [
    "read address: alone, with its postcode",
    "17 Wexlark Row, Quornbeck QB9 1ZT",
    [
      company("TEMBERWICK LTD", office("Quornbeck", "QB9 1ZT", "17 Wexlark Row")),
      company("19 WEXLARK ROW (QUORNBECK) RTM LTD", ELSEWHERE),
    ],
    [company("TIMBERWOCK LTD", office("Quornbeck", "QB9 1ZT", "18 Wexlark Row"))],
  ],
  [
    "read address: a town and its postcode, before names with the town",
    "Whitby QB9 2ZT",
    [company("TAMBERLICK LTD", office("Whitby", "QB9 2ZT")), company("WHITBY TEMBERLACK LTD", ELSEWHERE)],
  ],
  [
    "read address: of a company with this name, before companies that get their post there",
    "Drexolby Accountants LLP, 4 Wexlark Row, QB9 3ZT",
    [
      company("DREXOLBY ACCOUNTANTS LLP", office("Quornbeck", "QB9 4ZT", "5 Wexlark Row")),
      company("TUMBERLECK LTD", office("Quornbeck", "QB9 3ZT", "Drexolby Accountants LLP, 4 Wexlark Row")),
    ],
  ],
]);

const wholeNames = judgementsOf(COMPANIES, [
  [
    "read name: of a foreign company, whose legal form does not match a word of another name",
    "Frumpaland Healthcare GmbH",
    [company("FRUMPALAND DENTAL GMBH")],
    [company("VOXTRIX HEALTHCARE GMBH")],
  ],
  [
    "read name: with a web address in it",
    "Vexquorn.com Limited, 12 Harp Street, Quornbeck QB2 9ZT",
    [company("VEXQUORN.COM LIMITED", office("Quornbeck", "QB2 9ZT", "12 Harp Street"))],
  ],
  [
    "read name: with a word in it that leads to another name elsewhere",
    "Drixolby Home Care of Wrendlow Limited, Tadcaster",
    [company("DRIXOLBY HOME CARE OF WRENDLOW LIMITED", ELSEWHERE), company("WRENDLOW LTD", ELSEWHERE)],
  ],
  [
    "read name: in brackets after the trading name",
    "The Vexlow Nook (Glarnwick Bindery Ltd)",
    [company("GLARNWICK BINDERY LTD", ELSEWHERE)],
  ],
  [
    "read name: after the trading name and a stroke",
    "The Vexlow Nook / Glornwick Bindery Ltd",
    [company("GLORNWICK BINDERY LTD", ELSEWHERE)],
  ],
]);

export const companyReadingJudgements = [
  ...numbers,
  ...towns,
  ...postcodes,
  ...addresses,
  ...lanes,
  ...wholeNames,
];
