/** Owns the names of search indices, which show their history: `companies-v3-20260301t0412`. Pure. */
import type { IndexAlias, NextName } from "../../definitions/define-index.ts";

// Digits of the time: to the minute, to the second, to the millisecond.
const PRECISIONS = [12, 14, 17];
const NAME_END = /-v(\d+)-([0-9t]+)$/;

/** A name that sorts behind those taken (of the same alias): by the minute, more exactly where that does not do. */
export function nameIndex(alias: string, version: number, moment: Date, taken: readonly string[]): string {
  const digits = moment.toISOString().replace(/\D/g, "");
  const stamps = PRECISIONS.map((length) => `${digits.slice(0, 8)}t${digits.slice(8, length)}`);
  const latest = taken.map(stampOf).sort().at(-1) ?? "";
  // A clock that was set back finds later ones: then nothing can sort behind them.
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

/** The time in a name, `20260301t0412`, which puts the names of an alias in order; empty when it has none. */
export function stampOf(name: string): string {
  return NAME_END.exec(name)?.[2] ?? "";
}
