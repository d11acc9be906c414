/** Redis is unavailable for twenty seconds at five points of a load, and comes back with its data or without. */
import { describeFaults, FIRST_LOAD, freeze, kill, loseRedis, openFaultBench, stop } from "./run-faults.ts";

const faults = [
  { name: "Redis is stopped", inflict: stop("Redis") },
  { name: "Redis is killed", inflict: kill("Redis") },
  { name: "Redis hangs", inflict: freeze("Redis") },
  { name: "Redis loses all its data", inflict: loseRedis },
];

describeFaults(openFaultBench(), faults, FIRST_LOAD);
