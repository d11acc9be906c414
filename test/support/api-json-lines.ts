/**
 * Maps lines of the API's JSON in unit tests: takes them from the sample's streams, and checks the records they make.
 */
import { expect } from "@jest/globals";
import { readFileSync } from "node:fs";
import type { Outcome } from "../../ingest/sources/define-source.ts";
import { apiJsonLines } from "../../ingest/sources/api-json-lines.ts";
import { SAMPLE } from "./sample-register.ts";

/** The outcomes of these lines; the first is line 1. */
export function mapTexts(texts: string[]): Outcome[] {
  return apiJsonLines.mapRows(
    texts.map((text, at) => ({ line: at + 1, text })),
    {},
  );
}

/** The changed resources of a stream, in this format: each without its `event`. */
export function linesOfStream(name: string): string[] {
  const lines = readFileSync(`${SAMPLE}/streams/${name}.ndjson`, "utf8").split("\n").filter(Boolean);
  return lines.flatMap((line) => {
    const { event, ...envelope } = JSON.parse(line) as { event: { type: string } };
    return event.type === "deleted" ? [] : [JSON.stringify(envelope)];
  });
}

/** The data of the outcomes. Fails unless each outcome is a record that matches its schema. */
export function recordsOf<Data>(outcomes: Outcome[]): Data[] {
  return outcomes.map((outcome) => {
    if (outcome.kind !== "record") throw new Error(JSON.stringify(outcome));
    expect(outcome.record.check(outcome.data)).toBeNull();
    // The cast: the caller names the record type of these lines.
    return outcome.data as Data;
  });
}
