/** Owns the place of a file in an edition that comes in several, as its name tells it. Pure. */
import { SourceError } from "../../api/core/errors.ts";
import type { SetPart, SourceContext } from "./define-source.ts";

// `BasicCompanyData-2026-11-01-part1_7.csv`, `psc-snapshot-2026-11-01_1of31.txt`.
const PART = /(?:-part(\d+)_(\d+)|_(\d+)of(\d+))(?:\.|$)/i;

/**
 * Members of a source's context that say which part a file is; a name that tells none stands for the whole. Throws
 * SourceError for a part that there cannot be.
 */
export function readPart(fileName: string): { part: number; parts: number } {
  const [, part, parts, otherPart, otherParts] = PART.exec(fileName) ?? [];
  const place = { part: Number(part ?? otherPart ?? 1), parts: Number(parts ?? otherParts ?? 1) };
  if (place.part >= 1 && place.part <= place.parts) return place;
  throw new SourceError(
    `its name says that it is part ${place.part} of ${place.parts}, which cannot be; give the file its own name again`,
  );
}

/** The same for a source whose context has them, its edition known by the day. */
export function partOf(context: SourceContext): SetPart {
  // The cast: a context comes back as `open` made it.
  const { part, parts } = context as SourceContext & { part: number; parts: number };
  return { edition: context.productionDate ?? "no day", part, parts };
}
