/** A register follows another one through loads, while its command is killed and the stream server and network fail. */
import { expect, it } from "@jest/globals";
import { runLoad } from "../support/faults/disturbed-load.ts";
import { openFollower } from "../support/faults/follower.ts";
import {
  writeCompaniesEdition,
  writeOfficersEdition,
  writeOfficersUpdate,
} from "../support/faults/later-files.ts";
import { writeManyRows } from "../support/faults/many-rows.ts";
import { openFaultBench } from "./run-faults.ts";

const bench = openFaultBench();
const ROWS = Number(process.env.FAULT_ROWS ?? 50_000);
const KILLS = 10;
// How long the network fails.
const AWAY_MS = 60_000;
// How long the stream server of the followed register is down.
const RESTART_MS = 2_000;

it("a register that follows another one ends with the same records", async () => {
  const { files } = writeManyRows(bench.folder, ROWS);
  const [companies = "", officers = ""] = files;
  const settings = { BATCH_ROWS: "200", LOCK_MS: "2000", ...bench.engines.addresses };
  const timepoints: Record<string, number> = {};
  await runLoad({
    build: bench.build,
    before: [files],
    loads: [
      [writeCompaniesEdition(bench.folder, companies)],
      [writeOfficersUpdate(bench.folder, officers)],
      [...writeOfficersEdition(bench.folder, officers), "--complete", "--force"],
    ],
    isInTurn: true,
    settings,
    addresses: {},
    deadlineMs: 3_000_000,
    disturbances: [],
    accompany: async (stores) => {
      const names = ["companies", "officers"];
      const plan = { build: bench.build, settings, files, names, deadlineMs: 900_000 };
      const follower = await openFollower(stores, plan);
      const disturbed = (async () => {
        for (let kill = 0; kill < KILLS; kill += 1) await follower.kill();
        await follower.restartFollowed(RESTART_MS);
        await follower.loseNetwork(AWAY_MS);
      })();
      return async () => {
        await disturbed;
        Object.assign(timepoints, await follower.finish().finally(() => follower.close()));
      };
    },
  });
  expect(timepoints).toEqual({ companies: expect.any(Number), officers: expect.any(Number) });
  expect(Math.min(...Object.values(timepoints))).toBeGreaterThan(0);
}, 3_600_000);
