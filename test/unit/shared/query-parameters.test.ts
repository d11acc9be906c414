import { describe, expect, it } from "@jest/globals";
import { ApiError } from "../../../api/shared/runtime/errors.ts";
import {
  parseQuery,
  type QueryParameters,
  startIndex,
} from "../../../api/shared/schemas/query-parameters.ts";

const declarations = {
  q: { kind: "text", required: true, maxLength: 10, description: "" },
  size: { kind: "integer", default: 20, description: "" },
  view: { kind: "boolean", description: "" },
  order: { kind: "choice", values: ["up", "down"], description: "" },
  restrictions: {
    kind: "list",
    isSpaced: true,
    ignoresUnknown: true,
    values: ["active", "equal"],
    description: "",
  },
} as const;

const faultsOf = (raw: Record<string, string>, declared: QueryParameters = declarations) => {
  try {
    parseQuery(declared, raw);
  } catch (error) {
    if (error instanceof ApiError) return error.details.map(({ location, error: key }) => [location, key]);
  }
  return [];
};

describe("parseQuery", () => {
  it.each([
    ["49", 49],
    ["-49", 49],
    ["50", 416],
    ["-50", 416],
  ])("checks the corrected start index against its window: %s becomes %d", (start, expected) => {
    const windowed = { size: declarations.size, start: { ...startIndex(), window: 50 } };
    const ask = () => {
      try {
        return parseQuery(windowed, { start }).start;
      } catch (error) {
        return error instanceof ApiError ? error.status : error;
      }
    };
    expect(ask()).toBe(expected);
  });

  it("yields typed values, and defaults for what is absent or empty", () => {
    expect(parseQuery(declarations, { q: " corner shop ".slice(0, 9), size: "" })).toEqual({
      q: "corner s",
      size: 20,
      view: false,
      order: undefined,
      restrictions: [],
    });
  });

  it("accepts whole numbers as long as they are exact", () => {
    expect(parseQuery(declarations, { q: "a", size: "9007199254740991" }).size).toBe(9007199254740991);
    expect(faultsOf({ q: "a", size: "9007199254740992" })).toHaveLength(1);
  });

  it("leaves out unknown words of a list that ignores them, and refuses them in other lists", () => {
    const list = { kind: "list", values: ["a", "b"], ignoresCase: true, description: "" } as const;
    const parse = (kinds: string) =>
      parseQuery({ kinds: { ...list, ignoresUnknown: true } }, { kinds }).kinds;
    expect([parse("x,A"), parse("x")]).toEqual([["a"], []]);
    expect(faultsOf({ kinds: "x,a" }, { kinds: list })).toEqual([["kinds", "invalid-parameter"]]);
  });

  it("says of a text that is too long how long it may be", () => {
    const ask = () => parseQuery(declarations, { q: "a".repeat(11) });
    const error_values = { q: "a".repeat(11), max_length: "10" };
    expect(ask).toThrow(expect.objectContaining({ details: [expect.objectContaining({ error_values })] }));
  });

  it("takes the first of a repeated parameter and ignores unknown ones", () => {
    expect(parseQuery(declarations, { q: ["a", "b"], nonsense: "1" }).q).toBe("a");
  });

  it.each([
    ["between spaces", "active  other equal"],
    ["between commas", "active,other, equal"],
    ["in repeated keys", ["active", "other", "equal"]],
    ["in repeated keys and between spaces", ["active other", "equal active"]],
  ])("keeps the known words of a list %s, each once", (_form, restrictions) => {
    expect(parseQuery(declarations, { q: "a", restrictions }).restrictions).toEqual(["active", "equal"]);
  });

  it.each([
    ["true", true],
    ["True", true],
    ["TRUE", true],
    ["false", false],
    ["False", false],
    ["", false],
  ])("reads the boolean %p as %p", (view, expected) => {
    expect(parseQuery(declarations, { q: "a", view }).view).toBe(expected);
  });

  it.each([
    [{}, [["q", "missing-parameter"]]],
    [{ q: "   " }, [["q", "missing-parameter"]]],
    [{ q: "longer than ten" }, [["q", "parameter-too-long"]]],
    [{ q: "a", size: "ten" }, [["size", "invalid-parameter"]]],
    [{ q: "a", size: "1.5" }, [["size", "invalid-parameter"]]],
    [
      { q: "a", view: "yes", order: "left" },
      [
        ["view", "invalid-parameter"],
        ["order", "invalid-parameter"],
      ],
    ],
  ])("refuses %j, and names each wrong parameter", (raw, faults) => {
    expect(faultsOf(raw as Record<string, string>)).toEqual(faults);
  });
});

describe("lists and days", () => {
  const further = {
    colours: { kind: "list", values: ["red", "blue"], ignoresCase: true, description: "" },
    codes: { kind: "list", description: "" },
    since: { kind: "date", description: "" },
    order: { kind: "choice", values: ["up"], required: true, description: "" },
  } as const;

  it("are read: words between commas and in repeated keys, each once", () => {
    const raw = { colours: ["Red, blue", "red,"], codes: "7,A7", since: "2024-02-29", order: "up" };
    expect(parseQuery(further, raw)).toEqual({
      colours: ["red", "blue"],
      codes: ["7", "A7"],
      since: "2024-02-29",
      order: "up",
    });
  });

  it("are empty when absent", () => {
    expect(parseQuery(further, { order: "up" })).toMatchObject({ colours: [], codes: [], since: undefined });
  });

  it.each([
    [{ colours: "red,green" }, "colours", "invalid-parameter"],
    [{ since: "2023-02-29" }, "since", "invalid-parameter"],
    [{ since: "1/2/2023" }, "since", "invalid-parameter"],
    [{ order: "" }, "order", "missing-parameter"],
    [{ order: "down" }, "order", "invalid-parameter"],
  ])("refuse %j", (raw, name, key) => {
    expect(faultsOf({ order: "up", ...raw }, further)).toEqual([[name, key]]);
  });
});
