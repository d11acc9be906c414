/** The end of a benchmark: ends all that it has started, in reverse order, also after a failure or Ctrl-C. */
import { messageOf } from "../../api/shared/runtime/errors.ts";

/** A list of what must be ended. */
export class Cleanup {
  private readonly ends: { title: string; end: () => unknown }[] = [];
  private running: Promise<void> | undefined;

  constructor(private readonly tell: (line: string) => void) {}

  add(title: string, end: () => unknown): void {
    this.ends.push({ title, end });
  }

  /** Ends everything, the last added first. Reports failures and goes on. A second call waits for the first. */
  run(): Promise<void> {
    this.running ??= this.runAll();
    return this.running;
  }

  private async runAll(): Promise<void> {
    for (let entry = this.ends.pop(); entry; entry = this.ends.pop()) {
      try {
        await entry.end();
      } catch (error) {
        this.tell(`ending ${entry.title} failed: ${messageOf(error)}`);
      }
    }
  }
}
