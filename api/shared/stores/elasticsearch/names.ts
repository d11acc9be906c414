/** Builds and reads the names of search indices, which show version and time: `companies-v3-20260301t0412`. Pure. */
import type { IndexAlias, NextName } from "../../definitions/define-index.ts";

// Digits of a time to the minute, to the second, to the millisecond.
const PRECISIONS = [12, 14, 17];
const NAME_END = /-v(\d+)-([0-9t]+)$/;

/** A name that sorts after those taken, of the same alias. Its time is to the minute, or finer if that is needed. */
export function nameIndex(alias: string, version: number, moment: Date, taken: readonly string[]): string {
  const digits = moment.toISOString().replace(/\D/g, "");
  const stamps = PRECISIONS.map((length) => `${digits.slice(0, 8)}t${digits.slice(8, length)}`);
  const latest = taken.map(stampOf).sort().at(-1) ?? "";
  // If the clock was set back, existing names may have later times; then no name of now can sort after them.
  const stamp = stamps.find((one) => one > latest) ?? stamps.at(-1) ?? "";
  return `${alias}-v${version}-${stamp}`;
}

/** True for the alias of an index that is being built. */
export function isNextName(name: IndexAlias): name is NextName {
  return name.endsWith("-next");
}

/** The version in a name; undefined when the name has none. */
export function versionOf(name: string): number | undefined {
  const [, version] = NAME_END.exec(name) ?? [];
  return version === undefined ? undefined : Number(version);
}

/** The time in a name, `20260301t0412`, by which the names of an alias are sorted; empty if it has none. */
export function stampOf(name: string): string {
  return NAME_END.exec(name)?.[2] ?? "";
}
