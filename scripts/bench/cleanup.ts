/** Owns the end of a benchmark: what was begun is ended in reverse order, once, whatever happened. */
import { messageOf } from "../../api/shared/runtime/errors.ts";

/** Things to end. */
export class Cleanup {
  private readonly ends: { title: string; end: () => unknown }[] = [];
  private running: Promise<void> | undefined;

  constructor(private readonly tell: (line: string) => void) {}

  add(title: string, end: () => unknown): void {
    this.ends.push({ title, end });
  }

  /** Ends everything; called again, it waits for the same end. One that fails is told and keeps no other from ending. */
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
