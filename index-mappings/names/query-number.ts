/** Owns company numbers in a query: from the typed text to the register's form. */
import { parseCompanyNumber } from "../../api/shared/values/company-number.ts";
import { foldText } from "./text.ts";

// Limit: nine or more characters are no number and never an error; the text is searched as a name.
const NUMBER_CHARACTERS = 8;
const SEPARATORS = /[\s-]/g;
// Characters around a number that was copied from a text: `(00912345)`, `"SC090123".`
const WRAPPING = /^["“„«([{]+|["”»)\]}.,;:]+$/g;

/** `912345`, `sc 90123`, `00-934-567` to the eight characters of the register; null when the text is no number. */
export function parseQueryNumber(query: string): string | null {
  const compact = foldText(query).replace(SEPARATORS, "").replace(WRAPPING, "");
  return compact.length > NUMBER_CHARACTERS ? null : parseCompanyNumber(compact);
}
