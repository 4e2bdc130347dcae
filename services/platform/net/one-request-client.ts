import type { Socket } from "node:net";
import { Client, type buildConnector, type Dispatcher } from "undici";
import { errorCodeOf } from "../error-code.ts";
import { AnswerHeads } from "./answer-heads.ts";

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
