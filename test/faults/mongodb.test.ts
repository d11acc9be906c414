/** MongoDB, here FerretDB over PostgreSQL, is away for twenty seconds at five points of a load. */
import { describeFaults, freeze, kill, stop } from "./run-faults.ts";

describeFaults([
  { name: "MongoDB is stopped", inflict: stop("FerretDB") },
  { name: "MongoDB is killed, with what it stands on", inflict: kill("FerretDB", "PostgreSQL") },
  { name: "MongoDB hangs", inflict: freeze("FerretDB") },
]);
