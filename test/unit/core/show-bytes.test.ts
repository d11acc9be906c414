import { showBytes, showText } from "../../../api/shared/runtime/format.ts";
import { expect, it } from "@jest/globals";

it.each([
  ["text as it is", "Tŷ Siôn £1 🏴\tLtd\n", "Tŷ Siôn £1 🏴\tLtd\n"],
  ["a byte of Latin-1", Buffer.from("CAFÉ LTD", "latin1"), "CAF⟨C9⟩ LTD"],
  ["a character that is cut", Buffer.from("é🏴").subarray(0, 4), "é⟨F0⟩⟨9F⟩"],
  ["zeros", Buffer.from("A\0B\0"), "A⟨00⟩B⟨00⟩"],
  ["nothing", "", ""],
])("shows %s", (_what, bytes, shown) => {
  expect(showBytes(Buffer.from(bytes))).toBe(shown);
});

it("marks what would steer a terminal", () => {
  expect(showText("\u001b[2Jgone\r\u009b")).toBe("⟨1B⟩[2Jgone⟨0D⟩⟨9B⟩");
});
