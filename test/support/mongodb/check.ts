/** Compares the commands that were sent to MongoDB with the list in needs.ts. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { NEEDED } from "./needs.ts";
import { ENGINE_SUITES, type Line, type Sent } from "./recorder.ts";

const LIST = "test/support/mongodb/needs.ts";

/**
 * Describes what is wrong, in sentences: what the suite sent that is not listed. When all engine suites have ended, it
 * covers every suite, and also what is listed but was never sent.
 */
export function describeRun(suite: string, lines: readonly Line[], suites = listSuites()): string[] {
  const sent = lines.filter((line): line is Sent => "part" in line);
  const ended = new Set(lines.filter((line) => !("part" in line)).map((line) => line.suite));
  if (!suites.every((one) => ended.has(one)))
    return describeUnknown(sent.filter((one) => one.suite === suite));
  return [...describeUnknown(sent), ...describeUnsent(sent)];
}

/** Describes each part that is not listed, with its suite and its command. */
export function describeUnknown(sent: readonly Sent[]): string[] {
  const unknown = sent.filter(({ part }) => !NEEDED.has(part));
  return unknown.map(
    ({ suite, command, part }) =>
      `${suite} sent MongoDB the command ${command} with "${part}", which ${LIST} does not list: ` +
      `do without it, or list it with its page of MongoDB's manual`,
  );
}

function describeUnsent(sent: readonly Sent[]): string[] {
  const parts = new Set(sent.map(({ part }) => part));
  const unsent = [...NEEDED].filter((part) => !parts.has(part));
  return unsent.map(
    (part) => `${LIST} lists "${part}", which no suite has sent MongoDB: test it, or remove it there`,
  );
}

function listSuites(): string[] {
  const names = readdirSync(ENGINE_SUITES).filter((name) => name.endsWith(".test.ts"));
  return names.map((name) => join(ENGINE_SUITES, name));
}
