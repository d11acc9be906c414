/** Further judgements of companies: number, previous name, exactness, status. */
import {
  COMPANIES,
  company,
  dissolved,
  insolvent,
  judgementsOf,
  numbered,
} from "./search-order-judgement.ts";

const numbers = judgementsOf(COMPANIES, [
  ["number: NI with its zeros lost", "ni 8811", [numbered("NI008811"), company("NI 8811 LTD")]],
  ["number: R and seven digits", "r 4471", [numbered("R0004471"), company("R 4471 CLUB LTD")]],
  ["number: with hyphens", "sl-81-23", [numbered("SL008123"), company("SL8123 LTD")]],
  ["number: of a foreign company", "Fc 77 41", [numbered("FC007741"), company("FC 7741 SUPPORTERS LTD")]],
  [
    "number: of a society, which ends in letters",
    "sp 7412 rs",
    [numbered("SP7412RS"), company("SP7412RS LTD")],
  ],
  ["number: with all of its zeros", "00088123", [numbered("00088123"), company("00088123 LTD")]],
  [
    "number: a dissolved company's before the name of an active one",
    "88124",
    [numbered("00088124", dissolved), company("88124 LIMITED")],
  ],
  [
    "number: nine digits are a name, not a number",
    "908812345",
    [company("908812345 LTD"), company("908812345 SALES LTD")],
    [numbered("08812345")],
  ],
  ["number: the letter O is not the digit 0", "so 88126", [numbered("SO088126")], [numbered("00088126")]],
]);

const previous = judgementsOf(COMPANIES, [
  [
    "previous-name: an equal one with another ending comes before longer current names",
    "orvanmoor plc",
    [company("HALDERBY K LTD", { was: "ORVANMOOR LTD", ...dissolved }), company("ORVANMOOR MILLS PLC")],
  ],
  [
    "previous-name: the best of several counts",
    "sennockby tiles",
    [
      company("HALDERBY L LTD", { was: ["TILES OF SENNOCKBY LTD", "SENNOCKBY TILES LTD", "SENNOCK LTD"] }),
      company("HALDERBY M LTD", { was: ["SENNOCK LTD", "SENNOCKBY TILES MAKERS LTD"] }),
      company("HALDERBY N LTD", { was: ["TILES OF SENNOCKBY LTD", "SENNOCK LTD"] }),
    ],
  ],
  [
    "previous-name: a weaker match of the current name does no harm",
    "larrapool",
    [company("LARRAPOOL NORTH LTD", { was: "LARRAPOOL LTD", ...dissolved }), company("LARRAPOOL EAST LTD")],
  ],
  [
    "previous-name: the status orders equals in each tier",
    "dravenholt",
    [
      company("HALDERBY O LTD", { was: "DRAVENHOLT LTD" }),
      company("HALDERBY P LTD", { was: "DRAVENHOLT LTD", ...insolvent }),
      company("HALDERBY A LTD", { was: "DRAVENHOLT LTD", ...dissolved }),
      company("HALDERBY Z LTD", { was: "DRAVENHOLT WEST LTD" }),
      company("HALDERBY B LTD", { was: "DRAVENHOLT WEST LTD", ...dissolved }),
    ],
  ],
  [
    "previous-name: a near current name comes before it, whatever the status",
    "quavermoor",
    [company("QUAVERMORE LTD", dissolved), company("HALDERBY Q LTD", { was: "QUAVEMOOR LTD" })],
  ],
  [
    "previous-name: words of two previous names are not one name",
    "imberlow casks",
    [company("CASKS BY IMBERLOW LTD")],
    [company("IMBERLOW LTD", { was: "CASKS LTD" })],
  ],
]);

const exactness = judgementsOf(COMPANIES, [
  [
    "exactness: equal, beginning, beginning with half a word, all words, beginnings of words",
    "palgrove ink",
    [
      company("PALGROVE INK LTD", dissolved),
      company("PALGROVE INK AND PAPER LTD", dissolved),
      company("PALGROVE INKWELL LTD", insolvent),
      company("INK FROM PALGROVE LTD", insolvent),
      company("INKS FROM PALGROVE LTD"),
    ],
    [company("PALGROVE LTD")],
  ],
  [
    "exactness: fewer extra words come first, then the key decides, then the number",
    "thrumley",
    [
      company("THRUMLEY ZINC LTD"),
      company("THRUMLEY ARTS OF GLASS LTD", { company_number: "89000021" }),
      company("THRUMLEY ARTS OF GLASS LTD", { company_number: "89000022" }),
      company("THRUMLEY ARTS OF TILES LTD"),
    ],
  ],
  [
    "exactness: fewer extra words come first among names with all words",
    "cobbet zuider",
    [company("ZUIDER COBBET LTD"), company("ZUIDER AND COBBET LTD"), company("A ZUIDER OF THE COBBET LTD")],
  ],
  ["exactness: a name of one letter", "ŋ", [company("Ŋ LTD", { company_number: "89000031" })]],
  [
    "exactness: the more words present, the better, and at least 60 % of them",
    "yaxminster joinery roofing stairs leeds",
    [
      company("YAXMINSTER JOINERY ROOFING STAIRS LTD", dissolved),
      company("YAXMINSTER ROOFING OF STAIRS LTD"),
      company("HALDERBY R LTD", { was: "YAXMINSTER JOINERY ROOFING STAIRS LTD" }),
      company("YAXMINSTER JOINERY ROOFING LTD"),
    ],
    [company("YAXMINSTER JOINERY LTD")],
  ],
  [
    "exactness: for a word that is typed twice, a name with it twice comes first",
    "durrawin durrawin",
    [company("DURRAWIN DURRAWIN LTD", dissolved), company("DURRAWIN LTD")],
  ],
  [
    "exactness: letters inside a word are not its beginning",
    "olmstrand",
    [company("OLMSTRAND QUAY LTD"), company("HOLMSTRAND LTD")],
  ],
]);

const status = judgementsOf(COMPANIES, [
  [
    "status: orders equal names, whatever their ending",
    "belquarry",
    [
      company("BELQUARRY PLC"),
      company("BELQUARRY LLP", { company_status: "receivership" }),
      company("BELQUARRY LTD", { company_status: "removed" }),
    ],
  ],
  [
    "status: open and registered count as active",
    "wendlemoor",
    [
      company("WENDLEMOOR ARK", { company_status: "registered" }),
      company("WENDLEMOOR BAY LTD"),
      company("WENDLEMOOR COVE", { company_status: "open" }),
      company("WENDLEMOOR ABBEY LTD", { company_status: "insolvency-proceedings" }),
      company("WENDLEMOOR ACRE LTD", { company_status: "voluntary-arrangement" }),
      company("WENDLEMOOR AISLE", { company_status: "closed" }),
    ],
  ],
  [
    "status: orders names with the words in any order, and with beginnings of words",
    "skerry vantell",
    [
      company("VANTELL SKERRY HARBOUR CRAFT LTD"),
      company("VANTELL SKERRY LTD", dissolved),
      company("VANTELLS SKERRYMEN OF NOTE LTD"),
      company("VANTELLS SKERRYMEN LTD", insolvent),
    ],
  ],
  [
    "status: orders spellings that are equally near, longer or shorter",
    "haverstole",
    [company("HAVERSTOL LTD"), company("HAVERSTILE LTD", insolvent), company("HAVERSTOLLE LTD", dissolved)],
  ],
  [
    "status: orders names that lack the same number of words",
    "gannelby rope hemp twine",
    [company("ROPE HEMP TWINE LTD"), company("GANNELBY ROPE HEMP LTD", dissolved)],
  ],
]);

export const companyJudgements = [...numbers, ...previous, ...exactness, ...status];
