import { describe, expect, test } from "@jest/globals";
import { ApiError } from "../../../api/shared/runtime/errors.ts";
import { parseQuery, itemsPerPage, startIndex } from "../../../api/shared/schemas/query-parameters.ts";

const correcting = { items_per_page: itemsPerPage({ default: 35, maximum: 50 }), start_index: startIndex() };
const refusing = { items_per_page: itemsPerPage({ default: 35, maximum: 100, refusesBelowOne: true }) };

describe("a list that corrects page sizes", () => {
  test.each([
    [undefined, 35],
    ["", 35],
    ["0", 35],
    ["-0", 35],
    ["1", 1],
    ["-20", 20],
    ["50", 50],
    ["51", 50],
    ["-900", 50],
  ])("items_per_page %p gives %p", (text, expected) => {
    expect(parseQuery(correcting, { items_per_page: text }).items_per_page).toBe(expected);
  });

  test.each([
    [undefined, 0],
    ["7", 7],
    ["-7", 7],
  ])("start_index %p gives %p", (text, expected) => {
    expect(parseQuery(correcting, { start_index: text }).start_index).toBe(expected);
  });

  test("refuses anything but a whole number", () => {
    expect(() => parseQuery(correcting, { items_per_page: "ten" })).toThrow(ApiError);
    expect(() => parseQuery(correcting, { start_index: "1.5" })).toThrow(ApiError);
  });
});

describe("a list that refuses page sizes below one", () => {
  test.each(["0", "-1"])("items_per_page %p is a 400 that names the parameter", (text) => {
    const fault = faultOf(() => parseQuery(refusing, { items_per_page: text }));
    expect(fault).toMatchObject({ status: 400, details: [{ location: "items_per_page" }] });
  });

  test("names every other wrong parameter as well", () => {
    const asked = { items_per_page: "0", start_index: "abc" };
    const fault = faultOf(() => parseQuery({ ...refusing, start_index: startIndex() }, asked));
    expect(fault).toMatchObject({ details: [{ location: "items_per_page" }, { location: "start_index" }] });
  });

  test("reduces larger sizes to the maximum", () => {
    expect(parseQuery(refusing, { items_per_page: "101" }).items_per_page).toBe(100);
  });
});

function faultOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}
