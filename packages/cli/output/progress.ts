import type { Out } from "../host.ts";

const CLEAR = "\r\u001b[2K";

/** What long work is doing, on standard error: one line that is replaced, or a line for each change outside a terminal. */
export class Progress {
  readonly #out: Out;
  #shown = "";

  constructor(out: Out) {
    this.#out = out;
  }

  show(text: string): void {
    if (text === this.#shown) return;
    this.#out.write(this.#out.isTTY === true ? `${CLEAR}${text}` : `${text}\n`);
    this.#shown = text;
  }

  /** Before something else is written. */
  clear(): void {
    if (this.#shown !== "" && this.#out.isTTY === true) this.#out.write(CLEAR);
    this.#shown = "";
  }
}
