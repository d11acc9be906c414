/** MongoDB, here FerretDB over PostgreSQL, is unavailable for twenty seconds at five points of a load. */
import { describeFaults, FIRST_LOAD, freeze, kill, openFaultBench, stop } from "./run-faults.ts";

const faults = [
  { name: "MongoDB is stopped", inflict: stop("FerretDB") },
  { name: "MongoDB is killed, with its PostgreSQL", inflict: kill("FerretDB", "PostgreSQL") },
  { name: "MongoDB hangs", inflict: freeze("FerretDB") },
];

describeFaults(openFaultBench(), faults, FIRST_LOAD);
