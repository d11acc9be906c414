import { expect, it } from "@jest/globals";
import {
  formatAge,
  formatBytes,
  formatDuration,
  showBytes,
  showJson,
  showLine,
} from "../../../api/shared/runtime/format.ts";

it.each([
  ["text as it is", "Tŷ Siôn £1 🏴\tLtd\n", "Tŷ Siôn £1 🏴\tLtd\n"],
  ["a byte of Latin-1", Buffer.from("CAFÉ LTD", "latin1"), "CAF⟨C9⟩ LTD"],
  ["a character that is cut", Buffer.from("é🏴").subarray(0, 4), "é⟨F0⟩⟨9F⟩"],
  ["an empty text", "", ""],
])("shows %s", (_what, bytes, shown) => {
  expect(showBytes(Buffer.from(bytes))).toBe(shown);
});

it("marks characters that would control a terminal, or fake a line of output", () => {
  expect(showLine("\u001b[2Jgone\r\u009b")).toBe("⟨1B⟩[2Jgone⟨0D⟩⟨9B⟩");
  expect(showLine("a\nwritten 9,999\u2028b\tc\0")).toBe("a⟨0A⟩written 9,999⟨2028⟩b\tc⟨00⟩");
  expect(showLine("gpj.\u202ecsv\u2066")).toBe("gpj.⟨202E⟩csv⟨2066⟩");
});

it("leaves the data of JSON unchanged", () => {
  const data = { file: "\u009b2J\u202e\u007f\ncsv" };
  const json = showJson(JSON.stringify(data));
  expect(json).toBe('{"file":"\\u009b2J\\u202e\\u007f\\ncsv"}');
  expect(JSON.parse(json)).toEqual(data);
});

it.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1536, "1.5 KB"],
  [250 * 1024 ** 2, "250 MB"],
  [3.4 * 1024 ** 4, "3.4 TB"],
])("writes %d bytes as %s", (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});

it.each([
  [-5, "0 s"],
  [1_500, "1 s"],
  [119_999, "119 s"],
  [120_000, "2 min"],
  [47 * 3_600_000, "47 h"],
  [48 * 3_600_000, "2 days"],
])("writes %d ms as %s", (milliseconds, words) => {
  expect(formatAge(milliseconds)).toBe(words);
});

it.each([
  [9.5, "9.5 s"],
  [10, "10 s"],
  [119.4, "119 s"],
  [119.5, "2 min"],
  [7_100, "118 min"],
  [7_200, "2 h 0 min"],
  [12_000, "3 h 20 min"],
])("writes %d s as %s", (seconds, words) => {
  expect(formatDuration(seconds)).toBe(words);
});
