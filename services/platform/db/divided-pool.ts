import { AsyncLocalStorage } from "node:async_hooks";
import pg, { type PoolClient } from "pg";
import { connectionsInUse, FairSlots } from "../fair-slots.ts";

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (destroy?: boolean | Error) => void,
) => void;

/** What a kind of work leaves to all others: a fifth of the connections. */
const LEFT_TO_OTHERS = 5;
/** With the wait for a lock, less than most clients wait for an answer. */
const SHARE_WAIT_MS = 4_000;

/** A pool that is divided between kinds of work: see `runAs`. */
export class DividedPool extends pg.Pool {
  readonly #kind = new AsyncLocalStorage<string>();
  readonly #shares = new FairSlots({
    total: Infinity,
    perOwner: Math.max(1, this.options.max - Math.ceil(this.options.max / LEFT_TO_OTHERS)),
    maxWaiting: Infinity,
    maxWaitMs: SHARE_WAIT_MS,
  });
  #reportWait: (seconds: number) => void = () => undefined;

  /** Reports how long each request for a connection has waited, with or without success, that found all in use. */
  onWaited(report: (seconds: number) => void): void {
    this.#reportWait = report;
  }

  /** Requests for a connection that wait, for one to be free or for their kind to hold fewer. */
  get waitingRequests(): number {
    return this.waitingCount + this.#shares.waitingCount;
  }

  /** Runs `work` as one of its kind: together these leave a fifth of the connections to all others. */
  runAs<T>(kind: string, work: () => Promise<T>): Promise<T> {
    return this.#kind.run(kind, work);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | undefined {
    const taken = this.#checkOut();
    if (callback === undefined) return taken;
    taken.then(
      (client) => {
        callback(undefined, client, client.release.bind(client));
      },
      (error: unknown) => {
        callback(error as Error, undefined, () => undefined);
      },
    );
    return undefined;
  }

  async #checkOut(): Promise<PoolClient> {
    const kind = this.#kind.getStore();
    const waited = this.#startWaiting(kind);
    try {
      if (kind === undefined) return await super.connect();
      await this.#shares.enter(kind)?.catch(connectionsInUse(kind));
      return await this.#ofShare(kind);
    } finally {
      waited?.();
    }
  }

  async #ofShare(kind: string): Promise<PoolClient> {
    let client: PoolClient;
    try {
      client = await super.connect();
    } catch (error) {
      this.#shares.leave(kind);
      throw error;
    }
    // The pool gives a client a new `release` with each check-out.
    const release = client.release.bind(client);
    client.release = (destroy) => {
      release(destroy);
      this.#shares.leave(kind);
    };
    return client;
  }

  /** Null where a connection is at hand; else what ends the wait. */
  #startWaiting(kind: string | undefined): (() => void) | null {
    const isFree = this.idleCount > 0 || this.totalCount < this.options.max;
    if (isFree && (kind === undefined || this.#shares.hasRoom(kind))) return null;
    const startedAt = performance.now();
    return () => this.#reportWait((performance.now() - startedAt) / 1_000);
  }
}
