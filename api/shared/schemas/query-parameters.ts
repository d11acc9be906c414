/** Declarations of query parameters, also for paging. `parseQuery` turns a query string into typed values. */
import { parseDayOfAnyYear } from "../values/dates.ts";
import { ApiError, type ErrorDetail } from "../runtime/errors.ts";

/** Default of the setting SEARCH_WINDOW: searches by relevance refuse pages that begin at this offset or later. */
export const SEARCH_WINDOW = 1_000;

/** Query string as Koa parses it: a repeated key is a list. */
export type RawQuery = Record<string, string | string[] | undefined>;

interface Described {
  /** One sentence for the documentation. */
  description: string;
}

/** A whole number. */
export interface IntegerParameter extends Described {
  kind: "integer";
  default: number;
  /** The largest value used, for the documentation; `settle` enforces it. */
  maximum?: number;
  /** Maps the given number to the one used; null refuses it with 400. May throw another ApiError. Default: as given. */
  settle?: (value: number) => number | null;
  /** Limit: a settled value of this size or more is refused with 416. */
  window?: number;
  /** Name of a parameter that replaces this one, such as a cursor: when it is given, `window` does not apply. */
  windowLiftedBy?: string;
}

export interface TextParameter extends Described {
  kind: "text";
  required?: boolean;
  /** Limit: most characters; a longer text is refused with 400. */
  maxLength: number;
  /** The form of the text, for the documentation; `settle` enforces it. */
  pattern?: string;
  /** Maps the given text to the one used; a blank result is absent; null refuses it with 400. Default: as given. */
  settle?: (text: string) => string | null;
}

/** One of a closed list of words. */
interface ChoiceParameter extends Described {
  kind: "choice";
  required?: boolean;
  values: readonly string[];
  /** True: `parseQuery` accepts other words, too; the definition refuses them when it uses the parameter. */
  passesOthers?: boolean;
}

/** `true` or `false`, in any letter case; false when absent. */
export interface BooleanParameter extends Described {
  kind: "boolean";
}

/** A list: words with commas between them, a repeated key, or both. */
export interface ListParameter extends Described {
  kind: "list";
  /** The valid words; any other is refused with 400. Absent: every word is valid. */
  values?: readonly string[];
  /** Other words are left out, not refused: for a parameter that the original does not know, and so ignores. */
  ignoresUnknown?: boolean;
  /** Words are converted to lower case. */
  ignoresCase?: boolean;
  /** Spaces separate words as commas do. */
  isSpaced?: boolean;
}

/** A day, `yyyy-mm-dd`. */
interface DateParameter extends Described {
  kind: "date";
}

export type QueryParameter =
  | IntegerParameter
  | TextParameter
  | ChoiceParameter
  | BooleanParameter
  | ListParameter
  | DateParameter;

export type QueryParameters = Record<string, QueryParameter>;

interface ValuesByKind {
  integer: number;
  boolean: boolean;
  list: string[];
  text: string | undefined;
  choice: string | undefined;
  date: string | undefined;
}

type ValueOf<P extends QueryParameter> = P extends { required: true } ? string : ValuesByKind[P["kind"]];

/** The values that `parseQuery` returns for a set of declarations. */
export type QueryValues<P extends QueryParameters> = { [Name in keyof P]: ValueOf<P[Name]> };

/** How a list treats page sizes that it cannot serve. */
interface PageSizeRule {
  default: number;
  maximum: number;
  /** Refuses 0 and negative numbers with 400; off by default. */
  refusesBelowOne?: boolean;
}

/**
 * `items_per_page`: 0 means the default, a negative number its absolute value, and a number above the maximum means the
 * maximum. Compat: the original's services do so, except some that refuse such sizes.
 */
export function itemsPerPage(rule: PageSizeRule): IntegerParameter {
  return {
    kind: "integer",
    description: `Items per page; default ${rule.default}, at most ${rule.maximum}.`,
    default: rule.default,
    maximum: rule.maximum,
    settle: (value) =>
      rule.refusesBelowOne && value < 1 ? null : Math.min(Math.abs(value) || rule.default, rule.maximum),
  };
}

/** `start_index`: offset of the page's first item, from 0; a negative number means its absolute value. */
export function startIndex(): IntegerParameter {
  return {
    kind: "integer",
    description: "Offset of the first item of the page in the whole result set, from 0.",
    default: 0,
    settle: (value) => Math.abs(value),
  };
}

/**
 * Checks a query string against its declarations. Parameters that are not declared are ignored, as the
 * original does. Throws ApiError 400 naming each parameter at fault, and 416 for a value past its window.
 */
export function parseQuery<P extends QueryParameters>(declarations: P, raw: RawQuery): QueryValues<P> {
  const faults: ErrorDetail[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, declaration] of Object.entries(declarations)) {
    const text = textOf(declaration, raw[name]);
    const result = parseValue(declaration, text);
    if ("fault" in result) faults.push(parameterFault(name, text, result.fault, result.limits));
    else values[name] = result.value;
  }
  if (faults.length > 0) throw new ApiError(400, faults);
  if (Object.entries(declarations).some((entry) => isPastWindow(entry, values))) throw new ApiError(416, []);
  return values as QueryValues<P>;
}

/**
 * The text of a parameter; an empty one counts as absent. The values of a repeated key make one list; of other
 * parameters the first value is used, as in the original's services.
 */
function textOf(declaration: QueryParameter, given: string | string[] = []): string | undefined {
  const texts = [given].flat();
  // No stored text contains a NUL character, and some engines answer it with an error.
  const text = (declaration.kind === "list" ? texts.join(",") : texts[0])?.replaceAll("\0", "\ufffd").trim();
  return text === "" ? undefined : text;
}

function isPastWindow(
  [name, declaration]: [string, QueryParameter],
  values: Record<string, unknown>,
): boolean {
  if (declaration.kind !== "integer") return false;
  const { window = Infinity, windowLiftedBy } = declaration;
  const isLifted = windowLiftedBy !== undefined && values[windowLiftedBy] !== undefined;
  return !isLifted && Number(values[name]) >= window;
}

type Parsed = { value: unknown } | { fault: string; limits?: Record<string, string> };

const INVALID = { fault: "invalid-parameter" };

function parseValue(declaration: QueryParameter, text: string | undefined): Parsed {
  if (text === undefined) return parseAbsence(declaration);
  switch (declaration.kind) {
    case "integer": {
      const given = /^[+-]?\d+$/.test(text) ? Number(text) : NaN;
      // Timepoints of streams have up to sixteen digits. Larger numbers would not be exact.
      if (!Number.isSafeInteger(given)) return INVALID;
      const value = declaration.settle ? declaration.settle(given) : given;
      return value === null ? INVALID : { value };
    }
    case "boolean": {
      const word = text.toLowerCase();
      return word === "true" || word === "false" ? { value: word === "true" } : INVALID;
    }
    case "choice":
      return declaration.passesOthers || declaration.values.includes(text) ? { value: text } : INVALID;
    case "list":
      return parseList(declaration, text);
    case "date": {
      const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseDayOfAnyYear(text) : null;
      return day ? { value: day } : INVALID;
    }
    case "text": {
      const { maxLength } = declaration;
      if (text.length > maxLength)
        return { fault: "parameter-too-long", limits: { max_length: `${maxLength}` } };
      const value = declaration.settle ? declaration.settle(text) : text;
      if (value?.trim() === "") return parseAbsence(declaration);
      return value === null ? INVALID : { value };
    }
  }
}

function parseAbsence(declaration: QueryParameter): Parsed {
  if (declaration.kind === "integer") return { value: declaration.default };
  if (declaration.kind === "boolean") return { value: false };
  if (declaration.kind === "list") return { value: [] };
  return "required" in declaration && declaration.required
    ? { fault: "missing-parameter" }
    : { value: undefined };
}

function parseList({ values, ignoresUnknown, ignoresCase, isSpaced }: ListParameter, text: string): Parsed {
  const parts = (ignoresCase ? text.toLowerCase() : text).split(isSpaced ? /[\s,]/ : ",");
  const words = parts.map((word) => word.trim());
  const distinct = [...new Set(words)].filter(Boolean);
  const known = distinct.filter((word) => values?.includes(word) ?? true);
  return ignoresUnknown || known.length === distinct.length ? { value: known } : INVALID;
}

/** The entry of an error body for a faulty parameter. `error`: the API's code; `limits`: shown beside the value. */
export function parameterFault(
  name: string,
  text: string | undefined,
  error: string,
  limits: Record<string, string> = {},
): ErrorDetail {
  const detail: ErrorDetail = {
    type: "ch:validation",
    error,
    location_type: "query-parameter",
    location: name,
  };
  // The value is shortened, so that an error is never larger than its request.
  return text ? { ...detail, error_values: { [name]: text.slice(0, 100), ...limits } } : detail;
}
