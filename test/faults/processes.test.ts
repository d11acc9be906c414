/** The worker and the command are killed at five points of a load. */
import { COMMAND_KILLED, describeFaults, FIRST_LOAD, openFaultBench, WORKER_KILLED } from "./run-faults.ts";

describeFaults(openFaultBench(), [WORKER_KILLED, COMMAND_KILLED], FIRST_LOAD);
