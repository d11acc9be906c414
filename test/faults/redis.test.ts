/** Redis is away for twenty seconds at five points of a load, and comes again with its data or without. */
import { describeFaults, freeze, kill, loseRedis, stop } from "./run-faults.ts";

describeFaults([
  { name: "Redis is stopped", inflict: stop("Redis") },
  { name: "Redis is killed", inflict: kill("Redis") },
  { name: "Redis hangs", inflict: freeze("Redis") },
  { name: "Redis loses all its data", inflict: loseRedis },
]);
