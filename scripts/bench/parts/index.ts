/** Table of contents: every benchmark, one line each. */
import type { PartDefinition } from "../define-part.ts";
import { concurrentPart } from "./concurrent.ts";
import { frozenPart } from "./frozen.ts";
import { loadPart } from "./load.ts";
import { lookupPart } from "./lookup.ts";
import { matchPart } from "./match.ts";
import { overloadPart } from "./overload.ts";
import { pagesPart } from "./pages.ts";
import { recallPart } from "./recall.ts";
import { reindexPart } from "./reindex.ts";
import { scalePart } from "./scale.ts";
import { searchPart } from "./search.ts";
import { streamsPart } from "./streams.ts";
import { workerPart } from "./worker.ts";
import { worstPart } from "./worst.ts";

export const parts: readonly PartDefinition[] = [
  searchPart,
  concurrentPart,
  scalePart,
  lookupPart,
  pagesPart,
  overloadPart,
  worstPart,
  frozenPart,
  recallPart,
  matchPart,
  loadPart,
  reindexPart,
  streamsPart,
  workerPart,
];
