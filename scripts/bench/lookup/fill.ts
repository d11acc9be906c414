/** The register for lookups: loaded with the real command; one officer and one company have very many records. */
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Config } from "../../../api/shared/settings/config.ts";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import type { Stores } from "../../../api/shared/stores/index.ts";
import { loadWithCommand, openPipeline } from "../load/pipeline.ts";
import type { PartContext } from "../define-part.ts";
import { createRandom } from "../random.ts";
import { generateRegister, makeTemporaryFolder } from "../register/generate.ts";
import { readRecords } from "../register/read-records.ts";
import { settle } from "../rest.ts";
import { Reservoir } from "../search/reservoir.ts";

/** What the register must have. */
interface LookedUpOptions {
  companies: number;
  seed: number;
  /** Number of appointments of the large officer, and of filings of the large company. */
  large: number;
  /** Number of companies to draw. */
  sample: number;
}

/** A filled register. */
interface LookedUpRegister {
  config: Config;
  stores: Stores;
  /** Numbers of randomly drawn companies. */
  numbers: string[];
}

/** The officer with very many appointments. */
export const LARGE_OFFICER = "LargestOfficerOfTheRegister";
/** The company with very many filings. */
export const LARGE_COMPANY = "99000001";

const DAY_MS = 86_400_000;

/** Loads the files of a generated register with the real command; everything is deleted at the end. */
export async function fillLookedUp(
  context: PartContext,
  options: LookedUpOptions,
): Promise<LookedUpRegister> {
  const folder = makeTemporaryFolder(context);
  const loading = await openPipeline(context, "lookup", folder);
  context.tell(`generating and loading the files of ${options.companies} companies`);
  const paths = await generateRegister(folder, options, ["csv", "officers", "psc"]);
  const drawn = new Reservoir<string>(options.sample, createRandom(options.seed));
  const first: string[] = [];
  await readRecords(paths.csv, (_record, stored) => {
    for (const { _id } of stored) {
      drawn.offer(_id);
      if (first.length < options.large) first.push(_id);
    }
  });
  if (first.length < options.large)
    throw new CommandError(
      `--large ${options.large} needs at least as many companies: raise --companies or lower --large`,
    );
  const lines = [first.map(toAppointment), first.map((_number, position) => toFiling(position))];
  const large = join(folder, "large.jsonl");
  const text = lines.flat().map((line) => `${JSON.stringify(line)}\n`);
  await pipeline(Readable.from(text), createWriteStream(large));
  for (const path of [paths.csv, paths.officers, paths.psc, large])
    await loadWithCommand(context, loading, path);
  const { config, stores, worker } = loading;
  await settle(config);
  await worker.stop();
  return { config, stores, numbers: drawn.values };
}

/** One appointment of the large officer; every fourth has ended. */
function toAppointment(company: string, position: number) {
  const id = `Appointment${String(position).padStart(16, "0")}`;
  return {
    resource_kind: "company-officers",
    resource_uri: `/company/${company}/appointments/${id}`,
    resource_id: id,
    data: {
      name: "MORGAN, Alex",
      officer_role: "director",
      appointed_on: dayOf(position),
      ...(position % 4 === 0 && { resigned_on: "2026-01-01" }),
      address: { address_line_1: "1 High Street", locality: "Leeds", postal_code: "LS1 4ZZ" },
      links: { officer: { appointments: `/officers/${LARGE_OFFICER}/appointments` } },
    },
  };
}

function toFiling(position: number) {
  const id = `Filing${String(position).padStart(16, "0")}`;
  return {
    resource_kind: "filing-history",
    resource_uri: `/company/${LARGE_COMPANY}/filing-history/${id}`,
    resource_id: id,
    data: {
      category: position % 3 === 0 ? "capital" : "accounts",
      date: dayOf(position),
      description: "accounts-with-accounts-type-full",
      type: "AA",
      transaction_id: id,
    },
  };
}

/** A day within 20 years. */
function dayOf(position: number): string {
  return new Date(Date.UTC(2000, 0, 1) + (position % 7_300) * DAY_MS).toISOString().slice(0, 10);
}
