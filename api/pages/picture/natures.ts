/** Owns short texts for natures of control, which fit a picture. Pure. */
import { wordsOf } from "../words.ts";

const SHARES: [RegExp, string][] = [
  [/75-to-100-percent/, "75% or more"],
  [/50-to-75-percent/, "50–75%"],
  [/25-to-50-percent/, "25–50%"],
  [/more-than-25-percent/, "more than 25%"],
];
const KINDS: [RegExp, string][] = [
  [/^ownership-of-shares/, "of the shares"],
  [/^voting-rights/, "of the votes"],
  [/^right-to-share-surplus-assets/, "of surplus assets"],
];
const WORDS: [RegExp, string][] = [
  [/^right-to-appoint-and-remove/, "Appoints and removes directors"],
  [/^significant-influence-or-control/, "Significant influence or control"],
];
const THROUGH: [RegExp, string][] = [
  [/trust/, ", by a trust"],
  [/firm/, ", by a firm"],
];

/** `ownership-of-shares-75-to-100-percent-as-trust` to `75% or more of the shares, by a trust`. */
export function shortNature(nature: string): string {
  const find = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(nature))?.[1];
  const [share, kind] = [find(SHARES), find(KINDS)];
  const words = share && kind ? `${share} ${kind}` : find(WORDS);
  if (words === undefined) return wordsOf("psc_natures_of_control", nature);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${find(THROUGH) ?? ""}`;
}
