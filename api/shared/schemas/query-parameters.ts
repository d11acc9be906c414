/**
 * Owns the declaration of query parameters, those of paging among them, and their check: raw query string in, typed values or
 * a 400 out.
 */
import { parseDayOfAnyYear } from "../values/dates.ts";
import { ApiError, type ErrorDetail } from "../runtime/errors.ts";

/** The offset from which the searches by relevance refuse pages, unless the setting of this name says otherwise. */
export const SEARCH_WINDOW = 1_000;

/** Query string as Koa parses it: a repeated key is a list. */
export type RawQuery = Record<string, string | string[] | undefined>;

interface Described {
  /** One sentence for the documentation. */
  description: string;
}

/** A whole number; `settle` applies the paging rules of the endpoint to what is out of range. */
export interface IntegerParameter extends Described {
  kind: "integer";
  default: number;
  /** Largest value answered, for the documentation; `settle` enforces it. */
  maximum?: number;
  /** Maps any whole number to the one used; null: it is refused with 400. May throw another ApiError. Default: as given. */
  settle?: (value: number) => number | null;
  /** Limit: from this value on, once settled, the request is refused with 416. */
  window?: number;
  /** Name of the parameter that, where it is given, is looked at instead of this one: then there is no window. */
  windowLiftedBy?: string;
}

export interface TextParameter extends Described {
  kind: "text";
  required?: boolean;
  /** Longest text taken, in characters. Longer: 400. */
  maxLength: number;
  /** What the text looks like, for the documentation; `settle` enforces it. */
  pattern?: string;
  /** Maps the text to the one used; a blank one is absent; null: it is refused with 400. Default: as given. */
  settle?: (text: string) => string | null;
}

/** One of a closed list of words. */
interface ChoiceParameter extends Described {
  kind: "choice";
  required?: boolean;
  values: readonly string[];
  /** True: another word is no fault here; the definition refuses it where the parameter counts. */
  passesOthers?: boolean;
}

/** `true` or `false`, in any letter case; false when absent. */
export interface BooleanParameter extends Described {
  kind: "boolean";
}

/** A list, as words between commas, as a repeated key, or both. */
export interface ListParameter extends Described {
  kind: "list";
  /** The words there are; another is answered with 400. Absent: any word. */
  values?: readonly string[];
  /** Another word is left out instead: for a parameter that the original does not know, and so ignores. */
  ignoresUnknown?: boolean;
  /** Letter case does not count: words are taken in lower case. */
  ignoresCase?: boolean;
  /** Spaces separate words, too. */
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

/** The values a set of declarations yields. */
export type QueryValues<P extends QueryParameters> = { [Name in keyof P]: ValueOf<P[Name]> };

/** What a list does with a page size that it cannot serve. */
interface PageSizeRule {
  default: number;
  maximum: number;
  /** 0 and negative numbers are answered with 400 instead of being settled; off by default. */
  refusesBelowOne?: boolean;
}

/**
 * `items_per_page`: 0 means the default, a negative number its absolute value, more than the maximum the
 * maximum. Compat: the original's services settle sizes so instead of refusing them, but not all of them.
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

/** A repeated key is one list, or else its first value counts, as in the original's services. An empty text is none. */
function textOf(declaration: QueryParameter, given: string | string[] = []): string | undefined {
  const texts = [given].flat();
  // Nothing stored has a NUL character, and some engines answer one with an error.
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
      // Timepoints of streams have up to sixteen digits; beyond this a number is not exact.
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

/** The entry of an error body that says what is wrong with a parameter, and which limits it has. */
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
  // A value of any length is echoed shortened, so that an error is never larger than its request.
  return text ? { ...detail, error_values: { [name]: text.slice(0, 100), ...limits } } : detail;
}
