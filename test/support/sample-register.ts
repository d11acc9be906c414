/** The whole sample register, in the order in which an operator would load it. */

/** Files of every format; paths below `test/fixtures/register`. */
export const SAMPLE_FILES = [
  "companies/BasicCompanyDataAsOneFile-2026-11-01.zip",
  "companies/dissolved-extract.csv",
  ...["ew", "sc", "ni"].map((part) => `officers/Prod195_4321_${part}_1_01112026010001.dat`),
  "officers/Prod216_4321_ew_1_01112026010001.dat",
  "disqualified/Prod192_4287.txt",
  "psc/psc-snapshot-2026-11-01_1of2.txt",
  "psc/psc-snapshot-2026-11-01_2of2.txt",
  ...[
    "company-profile",
    "filing-history",
    "charges",
    "insolvency",
    "exemptions",
    "registers",
    "uk-establishments",
  ].map((kind) => `api-shaped/${kind}.jsonl`),
];
