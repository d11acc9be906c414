/** Loads into a filled register: an edition with --complete, a daily update, and the same files again. */
import { writeOfficersEdition, writeOfficersUpdate } from "../support/faults/later-files.ts";
import { writeManyRows } from "../support/faults/many-rows.ts";
import { BRIEF, describeFaults, GRAVE_FAULTS, openFaultBench } from "./run-faults.ts";

/** Loads the files of many rows first, then what `make` writes from the file of officers. */
function afterManyRows(make: (folder: string, officers: string) => string[]) {
  return (folder: string, rows: number) => {
    const { files } = writeManyRows(folder, rows);
    const [, officers = ""] = files;
    return { before: [files], loads: [make(folder, officers)] };
  };
}

const scenarios = [
  {
    name: "an edition with --complete",
    write: afterManyRows((...given) => ["--complete", ...writeOfficersEdition(...given)]),
    // The second point: the last rows are written, and the load is about to remove what the edition lacks.
    points: [0.5, 1],
  },
  { name: "a daily update", write: afterManyRows((...given) => [writeOfficersUpdate(...given)]) },
  {
    name: "the same files again",
    write: (folder: string, rows: number) => {
      const { files } = writeManyRows(folder, rows);
      return { before: [files], loads: [files] };
    },
  },
];

const bench = openFaultBench();
for (const scenario of scenarios) describeFaults(bench, GRAVE_FAULTS, { ...BRIEF, ...scenario });
