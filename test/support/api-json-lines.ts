/** Owns lines of the API's JSON as unit tests map them: those of the sample's streams, and the records that lines give. */
import { expect } from "@jest/globals";
import { readFileSync } from "node:fs";
import type { Outcome } from "../../ingest/sources/define-source.ts";
import { apiJsonLines } from "../../ingest/sources/api-json-lines.ts";
import { SAMPLE } from "./sample-register.ts";

/** Outcomes of these lines, counted from 1. */
export function mapTexts(texts: string[]): Outcome[] {
  return apiJsonLines.mapRows(
    texts.map((text, at) => ({ line: at + 1, text })),
    {},
  );
}

/** The resources of a stream as this format has them: without their `event`. */
export function linesOfStream(name: string): string[] {
  const lines = readFileSync(`${SAMPLE}/streams/${name}.ndjson`, "utf8").split("\n").filter(Boolean);
  return lines.flatMap((line) => {
    const { event, ...envelope } = JSON.parse(line) as { event: { type: string } };
    return event.type === "deleted" ? [] : [JSON.stringify(envelope)];
  });
}

/** Data of the outcomes, all of which must be records that obey their schema. */
export function recordsOf<Data>(outcomes: Outcome[]): Data[] {
  return outcomes.map((outcome) => {
    if (outcome.kind !== "record") throw new Error(JSON.stringify(outcome));
    expect(outcome.record.check(outcome.data)).toBeNull();
    // The cast: the caller names the type of the lines' own record.
    return outcome.data as Data;
  });
}
