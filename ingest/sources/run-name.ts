/** Owns the check of a header's run number against the one in the name that the publisher gives the file. Pure. */
import { SourceError } from "../../api/core/errors.ts";
import type { SourceContext } from "./define-source.ts";

// `Prod195_4321_ew_1_01112026010001.dat`, `Prod198_4322.dat`, `Prod192_4287.txt`.
const RUN = /^Prod\d{3}_(\d{4})(?=[_.])/i;

/**
 * What a header tells, when the file's name tells the same run or none. Throws SourceError otherwise: it is another file
 * than it says, and the run decides what it may follow.
 */
export function requireRunOfName(header: SourceContext, fileName: string): SourceContext {
  const named = RUN.exec(fileName)?.[1];
  if (named === undefined || Number(named) === Number(header.run)) return header;
  throw new SourceError(
    `its name tells run ${named}, its header run ${String(header.run)} of ${header.productionDate ?? "no day"}: ` +
      "get it again, or, when the header is right, give the file the name of its run",
  );
}
