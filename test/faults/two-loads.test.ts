/** Two loads at once: of different kinds of record, in parallel, and of one kind, where the second waits. */
import { writeCompaniesEdition } from "../support/faults/later-files.ts";
import { writeManyRows } from "../support/faults/many-rows.ts";
import {
  BRIEF,
  COMMAND_KILLED,
  describeFaults,
  loseRedis,
  NOTHING,
  openFaultBench,
  WORKER_KILLED,
  type Scenario,
} from "./run-faults.ts";

const WAITS = /another load writes [\w-]+; this load waits/;

// The fault happens while the second load waits, or while both run.
const AT_ONCE = { ...BRIEF, rows: 2 * BRIEF.rows, points: [0.25] };

const scenarios: Scenario[] = [
  {
    ...AT_ONCE,
    name: "loads of two kinds",
    write: (folder, rows) => {
      const [companies = "", officers = "", psc = ""] = writeManyRows(folder, rows).files;
      return { loads: [[companies, psc], [officers]] };
    },
    neverSaid: WAITS,
  },
  {
    ...AT_ONCE,
    name: "two loads of one kind",
    write: (folder, rows) => {
      const [companies = ""] = writeManyRows(folder, rows).files;
      return { loads: [[companies], [writeCompaniesEdition(folder, companies)]] };
    },
    saysFirst: WAITS,
  },
];
const faults = [
  NOTHING,
  { name: "Redis loses all its data", inflict: loseRedis },
  WORKER_KILLED,
  COMMAND_KILLED,
];

const bench = openFaultBench();
for (const scenario of scenarios) describeFaults(bench, faults, scenario);
