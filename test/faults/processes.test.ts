/** The worker and the command are killed at five points of a load. */
import { describeFaults } from "./run-faults.ts";

describeFaults([
  {
    name: "the worker is killed",
    inflict: async (_engines, victim) => {
      victim.worker.kill("SIGKILL");
      await victim.startWorker();
    },
  },
  {
    name: "the command is killed",
    inflict: (_engines, victim) => Promise.resolve(victim.command.kill("SIGKILL")),
  },
]);
