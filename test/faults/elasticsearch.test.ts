/** Elasticsearch is unavailable for twenty seconds at five points of a load. */
import { describeFaults, FIRST_LOAD, freeze, kill, openFaultBench, stop } from "./run-faults.ts";

const faults = [
  { name: "Elasticsearch is stopped", inflict: stop("Elasticsearch") },
  { name: "Elasticsearch is killed", inflict: kill("Elasticsearch") },
  { name: "Elasticsearch hangs", inflict: freeze("Elasticsearch") },
];

describeFaults(openFaultBench(), faults, FIRST_LOAD);
