/** The processes of one load that a test disturbs: its workers, its commands, and their output. */
import type { Config } from "../../../api/shared/settings/config.ts";
import { startCommand, startWorker, type Program } from "./processes.ts";

// Lines shown of each process, to find out why a load did not end.
const LINES_SHOWN = 15;

export class LoadPrograms {
  private readonly workers: Program[] = [];
  private readonly commands: Program[] = [];
  private isOver = false;

  constructor(
    private readonly build: string,
    private readonly config: Config,
    /** A command to run workers with, such as `nice`; empty for none. */
    private readonly before: readonly string[] = [],
  ) {}

  /** Starts a worker, and waits until it takes batches. */
  async startWorker(): Promise<void> {
    const worker = await startWorker(this.build, this.config, this.before);
    this.workers.push(worker);
    if (this.isOver) worker.kill("SIGKILL");
  }

  /** Starts a command. Throws when the load is over already. */
  startCommand(args: string[]): Program {
    if (this.isOver) throw new Error("the load is over");
    const command = startCommand(this.build, this.config, args);
    this.commands.push(command);
    return command;
  }

  /** The worker that was started last. Throws when there is none. */
  lastWorker(): Program {
    const worker = this.workers.at(-1);
    if (!worker) throw new Error("no worker was started");
    return worker;
  }

  /** Batches that the workers say they have written. */
  countBatches(): number {
    return this.workers.reduce(
      (sum, worker) => sum + worker.readOutput().split("batch written").length - 1,
      0,
    );
  }

  /** The output of all workers. */
  readWorkers(): string {
    return this.workers.map((worker) => worker.readOutput()).join("\n");
  }

  /** The last lines of all processes. */
  readOutput(): string {
    const programs = Object.entries({ command: this.commands, worker: this.workers });
    const lines = programs.flatMap(([name, started]) =>
      started.map((program, index) => {
        const state = program.isRunning() ? "running" : "ended";
        const last = program.readOutput().trimEnd().split("\n").slice(-LINES_SHOWN).join("\n");
        return `-- ${name} ${index + 1}, ${state}\n${last}`;
      }),
    );
    return lines.join("\n");
  }

  /** Kills all of them, and those that are still starting. */
  async kill(): Promise<void> {
    this.isOver = true;
    const programs = [...this.workers, ...this.commands];
    for (const program of programs) program.kill("SIGKILL");
    await Promise.all(programs.map(({ ended }) => ended));
  }
}
