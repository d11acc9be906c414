/** Owns what the name of a file tells, as members of its source's context: the day, the part, and the run. Pure. */
import { parseDate } from "../../api/core/dates.ts";
import { SourceError } from "../../api/core/errors.ts";
import type { SetPart, SourceContext } from "./define-source.ts";

// `BasicCompanyData-2026-11-01-part1_7.csv`, `psc-snapshot-2026-11-01_1of31.txt`.
const DAY = /(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)/;
const PART = /(?:-part(\d+)_(\d+)|_(\d+)of(\d+))(?:\.|$)/i;
// `Prod195_4321_ew_1_01112026010001.dat`, `Prod198_4322.dat`, `Prod192_4287.txt`.
const RUN = /^Prod\d{3}_(\d{4})(?=[_.])/i;

/** The edition of a file by its name: its day, where that tells one, and its part, if not the whole. Throws SourceError. */
export function readEdition(fileName: string): { productionDate?: string; part: number; parts: number } {
  const productionDate = parseDate(DAY.exec(fileName)?.[1] ?? "");
  const [part = 1, parts = 1] =
    PART.exec(fileName)
      ?.slice(1)
      .flatMap((number) => (number ? Number(number) : [])) ?? [];
  if (part >= 1 && part <= parts) return { part, parts, ...(productionDate && { productionDate }) };
  throw new SourceError(
    `its name says that it is part ${part} of ${parts}, which cannot be; give the file its own name again`,
  );
}

/** The place of a file in an edition that comes in several, which is known by run and day; undefined: it stands alone. */
export function partOf({
  run,
  productionDate = "no day",
  product,
  part,
  parts,
}: SourceContext): SetPart | undefined {
  if (part === undefined || parts === 1) return undefined;
  const edition = run === undefined ? productionDate : `run ${Number(run)} of ${productionDate}`;
  return { edition, part, ...(product !== undefined && { product }), ...(parts !== undefined && { parts }) };
}

/** What a header tells, when the file's name tells the same run or none. Throws SourceError otherwise. */
export function requireRunOfName(header: SourceContext, fileName: string): SourceContext {
  const named = RUN.exec(fileName)?.[1];
  if (named === undefined || Number(named) === Number(header.run)) return header;
  throw new SourceError(
    `its name tells run ${named}, its header run ${header.run ?? "none"} of ${header.productionDate ?? "no day"}: ` +
      "get it again, or, when the header is right, give the file the name of its run",
  );
}
