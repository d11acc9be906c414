/**
 * Owns the files of a watched folder. A load works on `loading/LOAD/`, where nobody else writes; that folder gets the report
 * and becomes `done/LOAD/` or `failed/LOAD/` in one step.
 */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rmdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LoadRecord } from "../history/loads.ts";
import type { DroppedFile, FileFormat } from "./plan.ts";

// Hidden files, unfinished downloads, and the name of our own report.
const NEVER_TAKEN = /^\.|^report\.json$|\.(part|tmp|crdownload)$/i;
const ID_FILE = ".watch-id";
const LOADING = "loading";
const REPORT = "report.json";

/** What is kept of a load beside its files. */
export type LoadReport = Pick<LoadRecord, "counts"> & { state: string; reason?: string | undefined };

/** A load whose files are in `loading/`. `report`: absent until the load has ended. */
export interface TakenLoad {
  load: string;
  names: string[];
  report?: LoadReport;
}

interface SeenFile {
  /** Size, time and inode. */
  stamp: string;
  /** When it was first seen so, by this process's own clock. */
  since: number;
  format: FileFormat | undefined;
}

export class WatchedFolder {
  private seen = new Map<string, SeenFile>();

  /** `restMs`: a file that has not changed for so long is complete. */
  constructor(
    private readonly path: string,
    private readonly restMs: number,
    private readonly identify: (path: string) => Promise<FileFormat | undefined>,
  ) {}

  /** Makes the folders in it. Returns its id: the same for every process, whatever path it knows the folder by. */
  async prepare(): Promise<string> {
    for (const name of [LOADING, "done", "failed"]) await mkdir(join(this.path, name), { recursive: true });
    const file = join(this.path, ID_FILE);
    if (!existsSync(file)) await writeFile(file, randomUUID(), { flag: "wx" });
    return readFile(file, "utf8");
  }

  /** Every file that can be loaded, now or once it is at rest. */
  async look(): Promise<DroppedFile[]> {
    const before = this.seen;
    this.seen = new Map();
    const files: DroppedFile[] = [];
    for (const entry of await readdir(this.path, { withFileTypes: true })) {
      const { name } = entry;
      const path = join(this.path, name);
      if (!entry.isFile() || NEVER_TAKEN.test(name)) continue;
      const found = await stat(path).catch(() => undefined);
      if (!found) continue;
      const stamp = [found.size, found.mtimeMs, found.ino].join("/");
      let known = before.get(name);
      if (known?.stamp !== stamp)
        known = { stamp, since: performance.now(), format: await this.identify(path) };
      this.seen.set(name, known);
      // An empty file may be a download that has not begun.
      const isAtRest = found.size > 0 && performance.now() - known.since >= this.restMs;
      files.push({ name, isAtRest, format: known.format });
    }
    return files;
  }

  /** Moves files to the folder of a load and returns their paths. Throws when one has gone. */
  async take(load: string, names: readonly string[]): Promise<string[]> {
    await mkdir(this.inLoading(load));
    for (const name of names) await rename(join(this.path, name), this.inLoading(load, name));
    return names.map((name) => this.inLoading(load, name));
  }

  /** The first load that has not been put away. */
  async findTaken(): Promise<TakenLoad | undefined> {
    const entries = await readdir(this.inLoading(), { withFileTypes: true });
    const [load] = entries.flatMap((entry) => (entry.isDirectory() ? entry.name : [])).sort();
    if (load === undefined) return undefined;
    const text = await readFile(this.inLoading(load, REPORT), "utf8").catch(() => undefined);
    const names = await this.listNames(load);
    return { load, names, ...(text && { report: JSON.parse(text) as LoadReport }) };
  }

  /** Gives files back to be loaded anew; one whose name was dropped again stays. Returns those that are left. */
  async giveBack(load: string, names: readonly string[]): Promise<string[]> {
    for (const name of names) {
      const path = join(this.path, name);
      if (!existsSync(path)) await rename(this.inLoading(load, name), path);
    }
    const left = await this.listNames(load);
    if (left.length === 0) await rmdir(this.inLoading(load));
    return left;
  }

  /** Keeps the report of a load, which needs no more than to be put away then. */
  async writeReport(load: string, report: LoadReport): Promise<void> {
    const unfinished = join(this.path, `.${load}`);
    await writeFile(unfinished, `${JSON.stringify(report, null, 2)}\n`, { flush: true });
    await rename(unfinished, this.inLoading(load, REPORT));
  }

  async putAway(load: string, target: string): Promise<void> {
    await rename(this.inLoading(load), target);
  }

  /** Where a load, or a file of it, is put away. */
  pathOf(load: string, { state }: LoadReport, name = ""): string {
    return join(this.path, state === "succeeded" ? "done" : "failed", load, name);
  }

  private inLoading(load = "", name = ""): string {
    return join(this.path, LOADING, load, name);
  }

  private async listNames(load: string): Promise<string[]> {
    return (await readdir(this.inLoading(load))).filter((name) => name !== REPORT);
  }
}
