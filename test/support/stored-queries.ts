/** Compares search bodies with stored ones, which are laid out for a reviewer: one clause on each line. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "@jest/globals";

const WIDTH = 110;

/** Expects bodies to equal those stored under this name; UPDATE=1 stores them again, for a reviewer to read. */
export function expectStored(name: string, bodies: unknown): void {
  const file = new URL(`../unit/search/queries/${name}.txt`, import.meta.url);
  const text = `${layOut(bodies)}\n`.trimStart();
  if (process.env.UPDATE === "1") writeFileSync(file, text);
  expect(existsSync(file) ? readFileSync(file, "utf8") : "no stored body").toBe(text);
}

/** Like YAML, but objects with one member begin no new line, and what fits into one line is written in one. */
function layOut(value: unknown, indent = ""): string {
  const line = inLine(value);
  if (typeof value !== "object" || value === null || indent.length + line.length <= WIDTH) return line;
  const inner = `${indent}  `;
  const begin = (mark: string, one: unknown, within: string) => `${mark} ${layOut(one, within)}`.trimEnd();
  if (Array.isArray(value)) return value.map((one) => `\n${inner}${begin("-", one, `${inner}  `)}`).join("");
  const members = Object.entries(value);
  const [[name = "", only] = []] = members;
  if (members.length === 1) return begin(`${name}:`, only, indent);
  return members.map(([member, one]) => `\n${inner}${begin(`${member}:`, one, inner)}`).join("");
}

function inLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(JSON.stringify(value));
  const members = Object.entries(value).map(([name, one]) => `${name}: ${inLine(one)}`);
  return members.length === 1 ? members.join("") : `{ ${members.join(", ")} }`;
}
