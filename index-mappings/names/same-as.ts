/** The same-as key: names that are legally the same have the same key (rules S1 to S8 of the search reference). */
import { type CompanyName, dropInvertedThe } from "./company-name.ts";
import { endsWith, joinInitials, splitWords } from "./text.ts";

// Limit: characters after the 60th are not compared.
const COMPARED_CHARACTERS = 60;

// Rule S2: signs that do not count among the first three characters.
const SIGN = /[*=#%+]/;
const SIGNS = /[*=#%+]/g;
// Signs beside a leading THE or WWW are removed with it instead of becoming words.
const LEADING_WORDS = /^(?:THE\b[^\p{L}\p{N}*=#%+&@£$€¥]*)?(?:WWW\b[^\p{L}\p{N}*=#%+&@£$€¥]*)?(?=.)/u;

// Rules S3 and S4: whole words that legally count as one word.
const EQUAL_WORDS = new Map(
  Object.entries({
    "0": ["ZERO", "O"],
    "1": ["ONE"],
    "2": ["TWO", "TO", "TOO"],
    "3": ["THREE"],
    "4": ["FOUR", "FOR"],
    "5": ["FIVE"],
    "6": ["SIX"],
    "7": ["SEVEN"],
    "8": ["EIGHT"],
    "9": ["NINE"],
    PERCENT: ["PERCENTAGE"],
  }).flatMap(([word, equals]) => equals.map((equal) => [equal, word] as const)),
);
const SECOND_OF_PERCENT = new Set(["CENT", "CENTUM"]);

// Rule S5: words that are removed from the end of a name, repeatedly; longer before shorter.
const TRAILING = [
  ["Y", "DEYRNAS", "UNEDIG"],
  // Read as `& CO` and `(UK)`, not as `.CO.UK`, which would leave the AND behind.
  ["AND", "CO", "UK"],
  ["AND", "COMPANY"],
  ["AND", "CO"],
  ["AND", "CWMNI"],
  ["A", "CHWMNI"],
  ["AR", "CWMNI"],
  ["CO", "UK"],
  ["ORG", "UK"],
  ["UNITED", "KINGDOM"],
  ["GREAT", "BRITAIN"],
  ["NORTHERN", "IRELAND"],
  ["DEYRNAS", "UNEDIG"],
  ["PRYDAIN", "FAWR"],
  ["GOGLEDD", "IWERDDON"],
  ...["COMPANY", "CWMNI", "CO", "BIZ", "COM", "NET", "ORG", "EU", "UK", "GB", "NI", "WALES", "CYMRU"].map(
    (word) => [word],
  ),
];
const LAST_OF_TRAILING = new Set(TRAILING.map((words) => words.at(-1)));

/** The same-as key of a name. The rules follow secondary pages about the law, so the key is no legal advice. */
export function sameAsKey(name: CompanyName): string {
  const words = dropTrailing(equalWords(dropWww(wordsToCompare(name))));
  const compared = words.join(" ").slice(0, COMPARED_CHARACTERS).trimEnd();
  const withoutS = compared.length > 1 && compared.endsWith("S") ? compared.slice(0, -1) : compared;
  return withoutS.replaceAll(" ", "") || name.key;
}

function wordsToCompare(name: CompanyName): string[] {
  if (!SIGN.test(name.folded)) return name.words;
  const start = name.folded.replace(LEADING_WORDS, "");
  const text = start.slice(0, 3).replace(SIGNS, " ") + start.slice(3);
  const all = splitWords(text);
  const upright = dropInvertedThe(all, name.folded);
  const core = upright.slice(0, upright.length - name.endingWords.length);
  return core.length > 0 ? joinInitials(core, text) : name.words;
}

function dropWww(words: string[]): string[] {
  return words.length > 1 && words[0] === "WWW" ? words.slice(1) : words;
}

function equalWords(words: string[]): string[] {
  const equal: string[] = [];
  for (const word of words) {
    if (SECOND_OF_PERCENT.has(word) && equal.at(-1) === "PER") equal[equal.length - 1] = "PERCENT";
    else equal.push(EQUAL_WORDS.get(word) ?? word);
  }
  return equal;
}

function dropTrailing(words: string[]): string[] {
  let rest = words;
  while (LAST_OF_TRAILING.has(rest.at(-1))) {
    const trailing = TRAILING.find((candidate) => endsWith(rest, candidate));
    if (!trailing) break;
    rest = rest.slice(0, -trailing.length);
  }
  return rest;
}
