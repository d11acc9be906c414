// Owns the three calls that the demo makes: what is asked, what makes the answer true, and how it is shown.

import { setTimeout as sleep } from "node:timers/promises";
import { SetupError } from "./progress.mjs";

// A search sees what was loaded once its index has been refreshed, within a second.
const refreshMs = 10_000;
const callMs = 10_000;
const shownItems = 1;
const shownLines = 24;

/** @typedef {{title: string, path: string, findFault: (body: any) => string | undefined}} Call */

/** Makes the three calls, prints each with its answer, and fails when one is not true.
 * @param {string} base
 * @param {string} key
 * @returns {Promise<void>} */
export async function answerCalls(base, key) {
  const company = "99000064";
  const officers = await fetchTrue({ base, key, call: listOfficers(company) });
  const calls = [
    showCompany(company, "QUILLFEATHER HOLDINGS LIMITED"),
    findCompany("leading zeros sample", "00099061"),
    listAppointments(officers.items[0].links.officer.appointments, company),
  ];
  for (const [index, call] of calls.entries()) {
    const body = await fetchTrue({ base, key, call });
    const curl = `curl -u ${key}: '${base}${call.path}'`;
    process.stdout.write(`\n${index + 1}. ${call.title}\n   ${curl}\n${shorten(body)}\n`);
  }
}

/** @param {string} number
 * @param {string} name
 * @returns {Call} */
function showCompany(number, name) {
  return {
    title: "A company by its number",
    path: `/company/${number}`,
    findFault: (body) =>
      body.company_number === number && body.company_name === name
        ? undefined
        : `is not about ${number} ${name}`,
  };
}

/** @param {string} words
 * @param {string} number
 * @returns {Call} */
function findCompany(words, number) {
  return {
    title: `Companies called "${words}", best first`,
    path: `/search/companies?q=${words.replaceAll(" ", "+")}`,
    findFault: ({ items }) =>
      items?.[0]?.company_number === number ? undefined : `does not have ${number} first`,
  };
}

/** @param {string} number
 * @returns {Call} */
function listOfficers(number) {
  return {
    title: `The officers of ${number}`,
    path: `/company/${number}/officers`,
    findFault: ({ items }) => (items?.[0]?.links?.officer?.appointments ? undefined : "lists no officer"),
  };
}

/** @param {string} path
 * @param {string} number
 * @returns {Call} */
function listAppointments(path, number) {
  /** @param {any} item */
  const isThere = (item) => item.appointed_to?.company_number === number;
  return {
    title: `All appointments of the first officer of ${number}`,
    path,
    findFault: ({ items }) =>
      items?.some(isThere) ? undefined : `does not have the appointment to ${number}`,
  };
}

/** @param {{base: string, key: string, call: Call}} question
 * @returns {Promise<any>} */
async function fetchTrue({ base, key, call }) {
  const until = Date.now() + refreshMs;
  for (;;) {
    const { fault, body } = await fetchOnce(`${base}${call.path}`, key, call);
    if (!fault) return body;
    if (Date.now() > until) {
      throw new SetupError(`The answer to GET ${call.path} ${fault}:\n${shorten(body)}`);
    }
    await sleep(250);
  }
}

/** @param {string} url
 * @param {string} key
 * @param {Call} call
 * @returns {Promise<{fault: string | undefined, body: any}>} */
async function fetchOnce(url, key, call) {
  const headers = { authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` };
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(callMs) });
  const text = await answer.text();
  if (answer.status !== 200) return { fault: `has status ${answer.status}`, body: text };
  const body = JSON.parse(text);
  return { fault: call.findFault(body), body };
}

/** @param {any} body
 * @returns {string} JSON with long lists and long answers cut */
function shorten(body) {
  const json =
    JSON.stringify(body, (_name, value) => (Array.isArray(value) ? shortenList(value) : value), 2) ?? "";
  const lines = json.split("\n").map((line) => `   ${line}`);
  const shown = lines.slice(0, shownLines);
  if (lines.length > shownLines) shown.push(`   … ${lines.length - shownLines} more lines`);
  return shown.join("\n");
}

/** @param {any[]} list */
function shortenList(list) {
  const rest = list.length - shownItems;
  return rest > 0 ? [...list.slice(0, shownItems), `… ${rest} more`] : list;
}
