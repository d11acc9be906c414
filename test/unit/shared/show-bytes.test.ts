import { showBytes, showJson, showLine } from "../../../api/shared/runtime/format.ts";
import { expect, it } from "@jest/globals";

it.each([
  ["text as it is", "Tŷ Siôn £1 🏴\tLtd\n", "Tŷ Siôn £1 🏴\tLtd\n"],
  ["a byte of Latin-1", Buffer.from("CAFÉ LTD", "latin1"), "CAF⟨C9⟩ LTD"],
  ["a character that is cut", Buffer.from("é🏴").subarray(0, 4), "é⟨F0⟩⟨9F⟩"],
  ["nothing", "", ""],
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
