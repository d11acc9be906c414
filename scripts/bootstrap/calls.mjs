// Owns the three calls that the demo makes: what is asked, what makes the answer true, and how it is shown.

import { setTimeout as sleep } from "node:timers/promises";
import { SetupError } from "./progress.mjs";

// A search sees what was loaded once its index has been refreshed, within a second.
const refreshMs = 10_000;
const callMs = 10_000;
const shownItems = 1;
const shownLines = 24;

const company = "99000064";
const words = "leading zeros sample";

// What is asked, what must be so in the answer, and what is said when it is not.
const theCompany = {
  title: "A company by its number",
  path: `/company/${company}`,
  isTrue: ({ company_number, company_name }) =>
    company_number === company && company_name === "QUILLFEATHER HOLDINGS LIMITED",
  fault: `is not about ${company} QUILLFEATHER HOLDINGS LIMITED`,
};
const companiesByName = {
  title: `Companies called "${words}", best first`,
  path: `/search/companies?q=${words.replaceAll(" ", "+")}`,
  isTrue: ({ items }) => items?.[0]?.company_number === "00099061",
  fault: "does not have 00099061 first",
};
const itsOfficers = {
  path: `/company/${company}/officers`,
  isTrue: ({ items }) => items?.[0]?.links?.officer?.appointments,
  fault: "lists no officer",
};
const appointmentsAt = (path) => ({
  title: `All appointments of the first officer of ${company}`,
  path,
  isTrue: ({ items }) => items?.some(({ appointed_to }) => appointed_to?.company_number === company),
  fault: `does not have the appointment to ${company}`,
});

/** Makes the three calls, prints each with its answer, and fails when one is not true. */
export async function answerCalls(base, key) {
  const officers = await fetchTrue({ base, key, call: itsOfficers });
  const appointments = appointmentsAt(officers.items[0].links.officer.appointments);
  for (const [index, call] of [theCompany, companiesByName, appointments].entries()) {
    const body = await fetchTrue({ base, key, call });
    const curl = `curl -u ${key}: '${base}${call.path}'`;
    process.stdout.write(`\n${index + 1}. ${call.title}\n   ${curl}\n${shorten(body)}\n`);
  }
}

async function fetchTrue({ base, key, call }) {
  const headers = { authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` };
  for (const until = Date.now() + refreshMs; ; await sleep(250)) {
    const answer = await fetch(base + call.path, { headers, signal: AbortSignal.timeout(callMs) });
    const text = await answer.text();
    const body = answer.status === 200 ? JSON.parse(text) : text;
    if (answer.status === 200 && call.isTrue(body)) return body;
    const fault = answer.status === 200 ? call.fault : `has status ${answer.status}`;
    if (Date.now() > until)
      throw new SetupError(`The answer to GET ${call.path} ${fault}:\n${shorten(body)}`);
  }
}

/** JSON with long lists and long answers cut. */
function shorten(body) {
  const shortenList = (_name, value) => {
    const rest = Array.isArray(value) ? value.length - shownItems : 0;
    return rest > 0 ? [...value.slice(0, shownItems), `… ${rest} more`] : value;
  };
  const lines = JSON.stringify(body, shortenList, 2)
    .split("\n")
    .map((line) => `   ${line}`);
  const rest = lines.length - shownLines;
  return [...lines.slice(0, shownLines), ...(rest > 0 ? [`   … ${rest} more lines`] : [])].join("\n");
}
