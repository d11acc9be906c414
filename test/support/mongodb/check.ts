/** Owns the comparison of what was sent to MongoDB with the list of what the service needs of it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { NEEDED } from "./needs.ts";
import { ENGINE_SUITES, type Line, type Sent } from "./recorder.ts";

const LIST = "test/support/mongodb/needs.ts";

/**
 * What is wrong, in sentences: what the suite has sent that is not listed; when all suites of the engines have ended, that of every
 * suite, and what is listed and was not sent.
 */
export function describeRun(suite: string, lines: readonly Line[], suites = listSuites()): string[] {
  const sent = lines.filter((line): line is Sent => "part" in line);
  const ended = new Set(lines.filter((line) => !("part" in line)).map((line) => line.suite));
  if (!suites.every((one) => ended.has(one)))
    return describeUnknown(sent.filter((one) => one.suite === suite));
  return [...describeUnknown(sent), ...describeUnsent(sent)];
}

/** Parts that are not listed, each with the suite and the command that had it. */
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
