const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TWO = 0x32;

/** Where the status stands in `HTTP/1.1 100`. */
const STATUS_AT = 9;
const STATUS_END = 12;
const UNASKED = /^10[01]$/;

type HeadPart = "status line" | "field" | "start of line" | "blank line" | "body";

/**
 * The heads of a connection's answers, changed in place where undici would end the connection over them: a 100 or 101
 * that nobody asked for becomes a 102, which is skipped, and a field's fold becomes spaces (RFC 9112, section 5.2).
 */
export class AnswerHeads {
  #part: HeadPart = "status line";
  #column = 0;
  #status = "";
  /** Whether the line before is a field's: only that can be folded. */
  #isAfterField = false;
  /** The end of a field's line, until the next byte shows whether the field continues. */
  #pending: Buffer = Buffer.alloc(0);
  #requests = 0;
  #hasBytes = false;

  /** Whether the connection was used before, and brought nothing of an answer to the request under way. */
  get isStale(): boolean {
    return this.#requests > 1 && !this.#hasBytes;
  }

  /** A request begins: what comes next is the head of its answer. */
  expectAnswer(): void {
    this.#requests += 1;
    this.#hasBytes = false;
    this.#pending = Buffer.alloc(0);
    this.#startHead();
  }

  /** What may be parsed by now, perhaps nothing. */
  read(chunk: Buffer): Buffer {
    this.#hasBytes = true;
    if (this.#isPast()) return chunk;
    const from = this.#pending.length;
    const bytes = from === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    for (let at = from; at < bytes.length && !this.#isPast(); at += 1) this.#step(bytes, at);
    const end = bytes.length - this.#openLineEnd(bytes);
    this.#pending = bytes.subarray(end);
    return bytes.subarray(0, end);
  }

  #isPast(): boolean {
    return this.#part === "body";
  }

  #step(bytes: Buffer, at: number): void {
    const byte = bytes[at] ?? 0;
    switch (this.#part) {
      case "status line":
        this.#stepStatusLine(bytes, at, byte);
        return;
      case "field":
        if (byte === LF) this.#startLine(true);
        return;
      case "start of line":
        if (byte === LF) this.#endHead();
        else if (byte === CR) this.#part = "blank line";
        else {
          if (this.#isAfterField && (byte === SPACE || byte === TAB)) unfold(bytes, at);
          this.#part = "field";
        }
        return;
      case "blank line":
        if (byte === LF) this.#endHead();
        else this.#part = "field";
        return;
      case "body":
        return;
    }
  }

  #stepStatusLine(bytes: Buffer, at: number, byte: number): void {
    // Empty lines before an answer are skipped by the parser too.
    if (this.#column === 0 && (byte === CR || byte === LF)) return;
    if (byte === LF) {
      this.#startLine(false);
      return;
    }
    if (this.#column >= STATUS_AT && this.#column < STATUS_END) {
      this.#status += String.fromCharCode(byte);
      if (UNASKED.test(this.#status)) bytes[at] = TWO;
    }
    this.#column += 1;
  }

  #startHead(): void {
    this.#part = "status line";
    this.#column = 0;
    this.#status = "";
  }

  #startLine(isAfterField: boolean): void {
    this.#part = "start of line";
    this.#isAfterField = isAfterField;
  }

  #endHead(): void {
    if (this.#status.startsWith("1")) this.#startHead();
    else this.#part = "body";
  }

  /** How many bytes at the end of `bytes` are the end of a field's line that the next byte may continue. */
  #openLineEnd(bytes: Buffer): number {
    const last = bytes.at(-1);
    if (this.#part === "field") return last === CR ? 1 : 0;
    if (this.#part !== "start of line" || !this.#isAfterField) return 0;
    return bytes.at(-2) === CR ? 2 : 1;
  }
}

/** Makes the line end before `at` spaces. */
function unfold(bytes: Buffer, at: number): void {
  bytes[at - 1] = SPACE;
  if (bytes[at - 2] === CR) bytes[at - 2] = SPACE;
}
