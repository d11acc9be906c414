/** Further judgements of legal endings: every class of them, in one form in the query and in another in the name. */
import { COMPANIES, company, judgementsOf } from "./search-order-judgement.ts";

/** A class of endings: its form in the query, a name with another form of it, and a name with another class. */
const ENDINGS: [asked: string, written: string, other: string][] = [
  ["OSKARBY CYF", "OSKARBY L.T.D.", "OSKARBY LLP"],
  ["Perrindale public limited company", "PERRINDALE CWMNI CYFYNGEDIG CYHOEDDUS", "PERRINDALE LIMITED"],
  ["vorlund c.c.c.", "VORLUND P L C", "VORLUND CIC"],
  ["Crannockby Anghyfyngedig", "CRANNOCKBY UNLTD.", "CRANNOCKBY LTD"],
  ["mossgarth l l p", "MOSSGARTH PARTNERIAETH ATEBOLRWYDD CYFYNGEDIG", "MOSSGARTH LIMITED PARTNERSHIP"],
  ["Glenfarrick L.P.", "GLENFARRICK PARTNERIAETH CYFYNGEDIG", "GLENFARRICK LIMITED LIABILITY PARTNERSHIP"],
  ["tidewhistle cwmni buddiant cymunedol", "TIDEWHISTLE C.I.C.", "TIDEWHISTLE LIMITED"],
  ["orrinholm community interest p.l.c.", "ORRINHOLM CWMNI BUDDIANT CYMUNEDOL CCC", "ORRINHOLM PLC"],
  ["Saltmarren EEIG", "SALTMARREN UKEIG", "SALTMARREN LTD"],
  ["varlquist uk societas", "VARLQUIST SE", "VARLQUIST PLC"],
  ["pellamure oeic", "PELLAMURE OPEN-ENDED INVESTMENT COMPANY", "PELLAMURE PLC"],
  ["zennormarsh pcc ltd", "ZENNORMARSH CWMNI CELL GWARCHODEDIG", "ZENNORMARSH LIMITED"],
];

export const endingJudgements = [
  ...judgementsOf(
    COMPANIES,
    ENDINGS.map(([asked, written, other]) => [
      `ending: ${asked} is ${written}`,
      asked,
      [company(written, { company_status: "liquidation" }), company(other)],
    ]),
  ),
  ...judgementsOf(COMPANIES, [
    [
      "ending: a query without an ending prefers no ending",
      "brackloon",
      [
        company("BRACKLOON PLC", { company_number: "89000001" }),
        company("BRACKLOON LTD", { company_number: "89000002" }),
        company("BRACKLOON", { company_number: "89000003" }),
      ],
    ],
    [
      "ending: a foreign ending is a word of the name",
      "hestermond gmbh",
      [company("HESTERMOND GMBH"), company("HESTERMOND GMBH SERVICES LTD")],
      [company("HESTERMOND LTD")],
    ],
    [
      "ending: only one is removed from a name",
      "Nettlecrane Ltd. Limited",
      [
        company("NETTLECRANE LTD LIMITED"),
        company("NETTLECRANE LTD STORES PLC"),
        company("NETTLECRANE LIMITED"),
      ],
    ],
    [
      "ending: without the space before it",
      "Warnlethby QuiverLtd",
      [company("WARNLETHBY QUIVER LTD"), company("WARNLETHBY QUIVERS LTD")],
    ],
    ["ending: without any space", "HURSTLEQUONLIMITED", [company("HURSTLE QUON LTD")]],
    [
      "ending: inside a name it is a word like others",
      "plc dealers quarnbeck",
      [company("QUARNBECK PLC DEALERS LTD"), company("QUARNBECK DEALERS PLC")],
    ],
  ]),
];
