/** Elasticsearch is away for twenty seconds at five points of a load. */
import { describeFaults, freeze, kill, stop } from "./run-faults.ts";

describeFaults([
  { name: "Elasticsearch is stopped", inflict: stop("Elasticsearch") },
  { name: "Elasticsearch is killed", inflict: kill("Elasticsearch") },
  { name: "Elasticsearch hangs", inflict: freeze("Elasticsearch") },
]);
