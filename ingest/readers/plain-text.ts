/** Removes control characters from the text of a row: they mean nothing, and could steer a terminal that shows them. */
import { fromWindows } from "../../api/shared/values/windows-1252.ts";
import { HAS_LOST_CHARACTER, LOST_CHARACTER, type Reader } from "./read-rows.ts";

interface PlainText {
  text: string;
  hadControls: boolean;
  /** Why the row is refused; absent: it can be mapped. */
  reason?: string;
}

// Replaces each control character until it becomes a blank. It is one itself, so no text has it for another reason.
const MARK = "\u0001";
/* oxlint-disable no-control-regex -- they are what is looked for */
// Without tabs and line breaks, which a text may have, and without NUL, for which a row is refused.
const CONTROLS = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const BEGINS_JSON = /^[\s\u0001]*\{/;
// The last digit of an escape such as `\u00e9` is not a digit of the text.
const BESIDE_DIGIT = /(?<!\\u[\da-fA-F]{3})\d\u0001|\u0001\d/;
/* oxlint-enable no-control-regex */
// Control characters escaped in JSON. An escaped backslash is matched, too: what follows it is not an escape.
const ESCAPED = /\\(?:\\|[bf]|u(00(?:0[1-8bcefBCEF]|1[\da-fA-F]|7[fF]|[89][\da-fA-F])))/g;
const DIGIT_LOST =
  "contains a control character beside a digit, where a digit may be lost; put back what belongs there, or remove it";

/**
 * Replaces control characters by blanks, which keeps the positions of a line's fields. U+0080 to U+009F become the
 * characters of Windows-1252 at these codes: its text was read as Latin-1. A row with a control character beside a
 * digit is refused: a number may have lost a digit there, and would then be another company's.
 */
export function toPlainText(given: string, reader: Reader): PlainText {
  if (given.includes(LOST_CHARACTER)) return { text: given, hadControls: false, reason: HAS_LOST_CHARACTER };
  const marked = markControls(given, reader);
  if (!marked.includes(MARK)) return { text: marked, hadControls: false };
  const text = marked.replaceAll(MARK, " ");
  return { text, hadControls: true, ...(BESIDE_DIGIT.test(marked) && { reason: DIGIT_LOST }) };
}

function markControls(given: string, reader: Reader): string {
  const text = given.replace(CONTROLS, toCharacter);
  if (reader === "csv") return text;
  // A tab in a line of fixed fields becomes a blank; in JSON it may stand between members.
  if (!BEGINS_JSON.test(text)) return text.replace(/[\t\r]/g, " ");
  return text.replace(ESCAPED, (found, code?: string) => {
    if (found === "\\\\") return found;
    return code === undefined ? MARK : toCharacter(String.fromCharCode(Number.parseInt(code, 16)));
  });
}

function toCharacter(control: string): string {
  const character = fromWindows(Buffer.from(control, "latin1"));
  return character === control ? MARK : character;
}
