/** Owns the line that tells how far a command is: drawn over on a terminal, a line every ten seconds elsewhere. */
import type { CommandContext } from "../../api/core/define-command.ts";

const TERMINAL_MS = 200;
const LOG_MS = 10_000;

/** Shows what `text` says until it is cleared. */
export class StatusLine {
  private readonly timer: NodeJS.Timeout;
  private isDrawn = false;

  constructor(
    private readonly context: Pick<CommandContext, "isTerminal" | "tell">,
    private readonly text: () => string,
  ) {
    this.timer = setInterval(() => this.draw(), context.isTerminal ? TERMINAL_MS : LOG_MS);
    this.timer.unref();
  }

  /** Takes the line away, for good. */
  clear(): void {
    clearInterval(this.timer);
    if (this.isDrawn) process.stderr.write("\r\u001b[K");
    this.isDrawn = false;
  }

  private draw(): void {
    if (!this.context.isTerminal) return this.context.tell(this.text());
    process.stderr.write(`\r${this.text()}\u001b[K`);
    this.isDrawn = true;
  }
}
