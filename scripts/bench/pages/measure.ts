/** Measures pages: each page, and in turn the API answers that it is made from. */
import { brotliDecompressSync } from "node:zlib";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import type { WireClient } from "../http-client.ts";
import { createRandom, shuffle } from "../random.ts";
import { inTurn } from "../turns.ts";

/** A kind of page. */
interface PageKind {
  name: string;
  /** Its addresses, each with the addresses of the API answers that it is made from. */
  visits: Visit[];
}

interface Visit {
  page: string;
  answers: string[];
}

/** One visit to a page; times in milliseconds until the last byte. */
export interface VisitTime {
  kind: string;
  page: number;
  /** Time of all its API answers, one after the other. */
  floor: number;
  /** Size of the page as it is sent (compressed), and as the browser reads it. */
  sentBytes: number;
  bytes: number;
}

interface Profile {
  company_name: string;
  company_number: string;
}
interface Officers {
  items?: { links: { officer?: { appointments?: string } } }[];
}

/** The pages of these companies, of their officers, and of searches for them. */
export async function drawPages(api: WireClient, numbers: readonly string[]): Promise<PageKind[]> {
  const profiles: Profile[] = [];
  const officers: string[] = [];
  for (const number of numbers) {
    profiles.push(await fetchJson<Profile>(api, `/company/${number}`));
    const { items = [] } = await fetchJson<Officers>(api, `/company/${number}/officers`);
    officers.push(...items.flatMap(({ links }) => links.officer?.appointments ?? []).slice(0, 1));
  }
  const queries = profiles.map(({ company_name }) => encodeURIComponent(company_name.slice(0, 160)));
  const words = profiles.map(({ company_name }) => encodeURIComponent(company_name.split(" ")[0] ?? ""));
  return [
    { name: "start", visits: numbers.map(() => ({ page: "/", answers: ["/coverage"] })) },
    { name: "results, all kinds", visits: queries.map((q) => searched(q, "", "/search", "")) },
    {
      name: "results, one word",
      visits: words.map((q) =>
        searched(q, "&kind=company", "/search/companies", "&facets=status,type,sic_codes"),
      ),
    },
    { name: "company", visits: profiles.map(({ company_number }) => companyVisit(company_number)) },
    {
      name: "officer",
      visits: officers.map((link) => ({
        page: link.replace(/^\/officers\/(.*)\/appointments$/, "/pages/officer/$1"),
        answers: [link],
      })),
    },
  ];
}

function searched(q: string, onPage: string, path: string, atApi: string): Visit {
  return { page: `/pages/search?q=${q}${onPage}`, answers: [`${path}?q=${q}&explain=true${atApi}`] };
}

/** The page also follows the chain of control if a controller is a company; the floor leaves that out. */
function companyVisit(number: string): Visit {
  const base = `/company/${number}`;
  const officers = `${base}/officers?filter=active&items_per_page=9`;
  return { page: `/pages${base}`, answers: [base, officers, `${base}/persons-with-significant-control`] };
}

/** Measures each page and its API answers, one at a time; the two take turns in being first. */
export async function measureVisits(
  api: WireClient,
  kinds: readonly PageKind[],
  seed: number,
): Promise<VisitTime[]> {
  const planned = kinds.flatMap(({ name, visits }) => visits.map((visit) => ({ kind: name, ...visit })));
  const times: VisitTime[] = [];
  for (const [position, { kind, page, answers }] of shuffle(planned, createRandom(seed)).entries()) {
    const [visited, floor] = await inTurn(
      position,
      () => visit(api, page),
      () => askAll(api, answers),
    );
    times.push({ kind, floor, ...visited });
  }
  return times;
}

/** Bytes, as sent, that a browser with an empty cache loads for the start page. */
export async function measureFirstVisit(api: WireClient): Promise<number> {
  const start = await send(api, "/", BROTLI);
  const html = textOf(start);
  const files = new Set(
    [...html.matchAll(/(?:href|src)="\.(\/pages\/assets\/[^"]+)"/g)].map(([, file = ""]) => file),
  );
  let bytes = start.body.length;
  for (const file of files) bytes += (await send(api, file, BROTLI)).body.length;
  return bytes;
}

const BROTLI = { "accept-encoding": "br" };

async function visit(api: WireClient, path: string): Promise<Omit<VisitTime, "kind" | "floor">> {
  const answer = await send(api, path, BROTLI);
  return { page: answer.ms, sentBytes: answer.body.length, bytes: Buffer.byteLength(textOf(answer)) };
}

async function askAll(api: WireClient, paths: readonly string[]): Promise<number> {
  let ms = 0;
  for (const path of paths) ms += (await send(api, path, BROTLI, [200, 404])).ms;
  return ms;
}

async function send(
  api: WireClient,
  path: string,
  headers: Record<string, string>,
  statuses: readonly number[] = [200],
) {
  const answer = await api.send({ method: "GET", path, headers });
  if (statuses.includes(answer.status)) return answer;
  throw new CommandError(`${answer.status} at ${path}: ${answer.body.toString().slice(0, 300)}`);
}

function textOf({ headers, body }: Awaited<ReturnType<WireClient["send"]>>): string {
  return (headers["content-encoding"] === "br" ? brotliDecompressSync(body) : body).toString();
}

async function fetchJson<T>(api: WireClient, path: string): Promise<T> {
  const { body } = await send(api, path, {}, [200, 404]);
  return JSON.parse(body.toString()) as T; // the API's schemas say so
}
