/**
 * Judgements of pasted names that are divided differently in the register: web endings, a joined THE, an ending
 * inside.
 */
import { COMPANIES, company, dissolved, judgementsOf, office, SUGGEST } from "./search-order-judgement.ts";

const HERE = office("Truro", "QZ5 8DA", "3 Harp Row");
const ELSEWHERE = office("Quornbeck", "QB8 8QD");
const LONE_ENDING = company("! LTD", ELSEWHERE);

const loneEndings = judgementsOf(COMPANIES, [
  [
    "read ending: after a web ending, before a town and a postcode, is not a name",
    "yoxelark.com ltd, truro QZ5 8DA",
    [company("YOXELARK.COM LTD", HERE)],
    [LONE_ENDING],
  ],
  [
    "read ending: after a web ending and before a marker is not a name",
    "Yoxelbury.com Ltd t/a The Velvet Otter",
    [company("YOXELBURY.COM LTD")],
    [LONE_ENDING],
  ],
  [
    "read ending: after a web ending in a letter is not a name",
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

const endingsInside = judgementsOf(COMPANIES, [
  [
    "read ending: before a bracket that is a part of the name",
    "YUXELTON BROS LIMITED (WESTMOOR)",
    [
      company("YUXELTON BROS (WESTMOOR) LIMITED", ELSEWHERE),
      company("YUXELTON BROS (LAMBOURNE) LIMITED", ELSEWHERE),
    ],
  ],
  [
    "read ending: before a bracket that is a part of the name, before the name without it written out",
    "YUXELDENE BROS LTD (BARROWDALE)",
    [
      company("YUXELDENE BROS LTD", { ...ELSEWHERE, ...dissolved }),
      company("YUXELDENE BROS (BARROWDALE) LTD", ELSEWHERE),
      company("YUXELDENE BROTHERS LIMITED", office("Barrowdale")),
      company("YUXELDENE BROTHERS C.I.C.", ELSEWHERE),
      company("YUXELDENE BROS (BIRCHOVER) LTD", ELSEWHERE),
    ],
  ],
  [
    "read ending: before a bracket that is inside the name",
    "YUXELFITHS TILES LTD (TRURO)",
    [company("YUXELFITHS (TRURO) TILES LTD", ELSEWHERE), company("YUXELFITHS PARK TILES LIMITED", ELSEWHERE)],
  ],
  [
    "read ending: before a town that is inside a name of generic words",
    "HAULAGE PROPERTIES LTD PENZANCE",
    [company("HAULAGE (PENZANCE) PROPERTIES LIMITED", ELSEWHERE)],
    [company("HAULAGE TRADERS LTD", office("Penzance"))],
  ],
  [
    "read ending: before a town, after its name",
    "Yuxelmoor Kilns Ltd Truro",
    [company("YUXELMOOR KILNS LTD", ELSEWHERE), company("YUXELMOOR (TRURO) KILNS LTD", ELSEWHERE)],
  ],
]);

const webEndings = judgementsOf(COMPANIES, [
  [
    "read web ending: misspelt beside London",
    "Yaxelborune.co.uk London",
    [company("YAXELBOURNE.CO.UK LIMITED", office("London"))],
  ],
  [
    "read web ending: misspelt beside a town",
    "Qyxelverley.com Truro",
    [company("YYXELVERLEY.COM LTD", HERE)],
    [company("OTTERBELL TRURO LTD", HERE)],
  ],
  [
    "read web ending: that of the name, before another one",
    "yaxelgrine.co.uk london",
    [
      company("YAXELGRINE.CO.UK LIMITED", { company_number: "88220052", ...office("London") }),
      company("YAXELGRINE.COM LIMITED", { company_number: "88220051", ...office("London") }),
    ],
  ],
  [
    "read web ending: that of the name, beside a generic word",
    "Yaxelfold.co.uk Group",
    [
      company("YAXELFOLD.CO.UK LIMITED", { company_number: "88220054" }),
      company("YAXELFOLD.COM LIMITED", { company_number: "88220053" }),
    ],
  ],
]);

const joinedThe = judgementsOf(COMPANIES, [
  [
    "joined THE: a first word of several",
    "Theyexelstone Harrows Ltd",
    [company("THE YEXELSTONE HARROWS LIMITED"), company("THEYEXELSTONE & YARROWS LTD")],
  ],
  ["joined THE: and a joined ending", "TheYexelmoorHarrowsLtd", [company("THE YEXELMOOR HARROWS LIMITED")]],
  ["joined THE: behind a sign", "@theyexelmerepetsupplies", [company("THE YEXELMERE PET SUPPLIES LTD")]],
  [
    "joined THE: before a town",
    "Theyexelfold Harrows Ltd, Truro",
    [company("THE YEXELFOLD HARROWS LIMITED", ELSEWHERE)],
  ],
  [
    "joined THE: not of a short word, which is a name",
    "Theo Yexelgate",
    [company("THEO YEXELGATES LTD")],
    [company("O YEXELGATE LTD")],
  ],
  ["joined THE: a short word before others", "TheYexel Bardtrust", [company("THE YEXEL BARDTRUST")]],
  ["joined THE: and a town", "Theyixel Bardtrust, Truro", [company("THE YIXEL BARDTRUST", ELSEWHERE)]],
  [
    "joined THE: a word that begins so comes first, wherever it is",
    "Themyxel Bardworks, Truro",
    [company("THEMYXEL BARDWORKS LTD", ELSEWHERE), company("MYXEL BARDWORKS LTD", HERE)],
  ],
  [
    "joined THE: a word that begins so comes first, beside a misspelt ending",
    "Themaxel Bardworks Lmited",
    [company("THEMAXEL BARDWORKS LTD", dissolved), company("MAXEL BARDWORKS LTD")],
  ],
]);

const slipsInThe = [
  ...judgementsOf(COMPANIES, [
    ["slip in THE: swapped letters", "Teh Yoxtell Trust", [company("THE YOXTELL TRUST")]],
    ["slip in THE: beside a town", "Thr Yuxtell Trust, Truro", [company("THE YUXTELL TRUST", ELSEWHERE)]],
    [
      "slip in THE: none where it is a word of the name",
      "Th Yaxtell Trust",
      [company("TH YAXTELL TRUST"), company("THREE YAXTELL TRUST")],
      [company("THE YAXTELL TRUST")],
    ],
  ]),
  ...judgementsOf(COMPANIES, [
    [
      "slip in THE: none in initials",
      "T H Yaxcorm",
      [company("T & H YAXCORM LTD", dissolved)],
      [company("YAXCORM LTD")],
    ],
    [
      "slip in THE: none in initials before a misspelt ending",
      "T H Yuxcorm Lmited",
      [company("T H YUXCORM LTD")],
      [company("YUXCORM LTD")],
    ],
    [
      "slip in THE: none in initials before a misspelt ending and a town",
      "T H Yixcorm Lmited, Truro",
      [company("T H YIXCORM LTD", ELSEWHERE)],
      [company("YIXCORM LTD", HERE)],
    ],
    [
      "slip in THE: none before generic words",
      "Thr Joinery, Truro",
      [company("THR JOINERY LTD", ELSEWHERE)],
      [company("JOINERY LTD", HERE)],
    ],
  ]),
  ...judgementsOf(SUGGEST, [
    ["slip in THE: suggested", "Teh Yextall Trust", [company("THE YEXTALL TRUST")]],
    ["slip in THE: a letter missing, suggested", "Th Yixtall Trus", [company("THE YIXTALL TRUST")]],
    ["slip in THE: suggested from a beginning", "Thr Yoxtall Tr", [company("THE YOXTALL TRUST")]],
    ["slip in THE: joined, suggested from a beginning", "TheYuxt Tr", [company("THE YUXT TRUST")]],
  ]),
];

export const partJudgements = [...loneEndings, ...endingsInside, ...webEndings, ...joinedThe, ...slipsInThe];
