import type { Socket } from "node:net";
import { Client, type buildConnector, type Dispatcher } from "undici";
import { errorCodeOf } from "../../platform/errors.ts";

/** A request on behalf of an account that its caller may abandon. */
export interface AbandonableRequest extends Dispatcher.DispatchOptions {
  readonly owner: string;
  readonly isAbandoned: () => boolean;
}

/** Opens a connection on behalf of an account. */
export type OwnedConnector = (
  target: buildConnector.Options,
  owner: string,
  callback: buildConnector.Callback,
) => void;

interface OlderHandler {
  onError?(error: Error): void;
}

type Abandonable = Dispatcher.DispatchOptions & Partial<AbandonableRequest>;

interface Current {
  owner: string;
  isAbandoned: () => boolean;
  /** Of the connection that is open; null while there is none. */
  heads: AnswerHeads | null;
}

const CLOSED: ReadonlySet<string> = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

const WANTED = (): boolean => false;

/**
 * One connection with one request at a time. undici reconnects for a request that was aborted in progress
 * and keeps that connection (nodejs/undici#5845); this client refuses to connect for it. A request whose kept-alive
 * connection the receiver closed before it answered is sent once more, on a connection of its own.
 */
export class OneRequestClient extends Client {
  readonly #current: Current;

  constructor(origin: URL, options: Client.Options, connect: OwnedConnector) {
    const current: Current = { owner: "", isAbandoned: WANTED, heads: null };
    super(origin, {
      ...options,
      pipelining: 1,
      connect: (target, callback) => {
        current.heads = null;
        if (!current.isAbandoned()) {
          connect(target, current.owner, (...[error, socket]) => {
            if (error !== null) callback(error, null);
            else callback(null, readHeads(socket, (current.heads = new AnswerHeads())));
          });
        } else setImmediate(() => callback(new Error("the request was abandoned"), null));
      },
    });
    this.#current = current;
  }

  override dispatch(options: Abandonable, handler: Dispatcher.DispatchHandler): boolean {
    this.#current.owner = options.owner ?? "";
    this.#current.isAbandoned = options.isAbandoned ?? WANTED;
    this.#current.heads?.expectAnswer();
    this.#allowSecondTry(options, handler);
    return super.dispatch(options, handler);
  }

  /** An agent hands its own handler on, of undici's older kind, whose errors come to `onError`. */
  #allowSecondTry(options: Abandonable, handler: OlderHandler): void {
    const fail = handler.onError?.bind(handler);
    if (fail === undefined) return;
    handler.onError = (error) => {
      handler.onError = fail;
      if (this.#isStale(error)) super.dispatch(options, handler);
      else fail(error);
    };
  }

  #isStale(error: Error): boolean {
    const { heads, isAbandoned } = this.#current;
    if (heads?.isStale !== true || isAbandoned() || this.closed || this.destroyed) return false;
    return CLOSED.has(errorCodeOf(error));
  }
}

/** The socket, whose answers are read with their heads mended. */
function readHeads<T extends Socket>(socket: T, heads: AnswerHeads): T {
  const read = socket.read.bind(socket);
  heads.expectAnswer();
  socket.read = (size?: number): Buffer | null => {
    const chunk: unknown = read(size);
    if (!Buffer.isBuffer(chunk)) return null;
    const readable = heads.read(chunk);
    return readable.length === 0 ? null : readable;
  };
  return socket;
}

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
