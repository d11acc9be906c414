/** Fetches and parses pages for tests, and checks the rules that every page must keep. */
import { parse, type HTMLElement } from "node-html-parser";
import { openLoadedSample } from "./loaded-sample.ts";
import type { TestRegister } from "./register.ts";

/** A page as a browser without JavaScript gets it. */
export interface Page {
  /** The whole address. */
  address: string;
  status: number;
  headers: Headers;
  root: HTMLElement;
  /** All text of an element, by default of the main part, with spaces joined. */
  text: (selector?: string) => string;
  /** Addresses of the links below a selector, by their texts. */
  links: (selector?: string) => Map<string, string>;
}

/** Opens a loaded sample register, which the suite must not change, whose pages need no key. */
export function openSamplePages(): Promise<TestRegister> {
  return openLoadedSample({ settings: { PAGES: "open" } });
}

/** Fetches a page. */
export async function openPage(address: string, headers: Record<string, string> = {}): Promise<Page> {
  const answer = await fetch(address, { headers });
  const root = parse(await answer.text());
  const wordsOf = (element: HTMLElement | null) => (element?.text ?? "").replace(/\s+/g, " ").trim();
  return {
    ...{ address, status: answer.status, headers: answer.headers, root },
    text: (selector = "main") => wordsOf(root.querySelector(selector)),
    links: (selector = "main") =>
      new Map(
        root
          .querySelectorAll(`${selector} a[href]`)
          .map((link) => [wordsOf(link), new URL(link.getAttribute("href") ?? "", address).href]),
      ),
  };
}

/** Faults that no page may have, whatever it shows; empty if the page is right. */
export function faultsOf({ root, headers }: Page): string[] {
  const all = (selector: string) => root.querySelectorAll(selector);
  const ids = all("[id]").map(({ id }) => id);
  const isLabelled = (field: HTMLElement) => all(`label[for="${field.id}"]`).length === 1;
  const refers = all("[aria-labelledby]").map((element) => element.getAttribute("aria-labelledby") ?? "");
  const checks: [fault: string, isSo: boolean][] = [
    ["no single h1", all("h1").length !== 1],
    ["no title", root.querySelector("title")?.text === ""],
    ["an id twice", new Set(ids).size !== ids.length],
    ["a name that is not there", refers.some((id) => !ids.includes(id))],
    ["a field without a label", !all("input:not([type=hidden]), select").every(isLabelled)],
    ["an inline style", all("[style], style").length > 0],
    ["an inline script", all("script").some((script) => !script.getAttribute("src"))],
    ["an address from the root", all("[href^='/'], [src^='/'], [action^='/']").length > 0],
    ["undefined or an object in words", /undefined|\[object|NaN/.test(root.text)],
    ["no content policy", !headers.get("content-security-policy")?.includes("default-src 'none'")],
  ];
  return checks.filter(([, isSo]) => isSo).map(([fault]) => fault);
}
