import { AsyncLocalStorage } from "node:async_hooks";
import pg, { type PoolClient } from "pg";
import { ConnectionShares } from "./connection-shares.ts";
import { databaseFault, isUnanswered } from "./database-fault.ts";
import type { Queryable } from "./transaction.ts";

/** A transaction that all database work further down the call joins until it has ended. */
interface OuterTransaction {
  readonly client: PoolClient;
  isOpen: boolean;
  /** Settles when the query before the next one has ended. */
  last: Promise<unknown>;
}

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (destroy?: boolean | Error) => void,
) => void;

const NESTED = "joined";
/** Transaction commands inside a joined transaction become savepoints. */
const NESTED_COMMANDS: ReadonlyMap<string, string> = new Map([
  ["begin", `savepoint ${NESTED}`],
  ["start transaction", `savepoint ${NESTED}`],
  ["commit", `release savepoint ${NESTED}`],
  ["rollback", `rollback to savepoint ${NESTED}`],
]);

function nestedCommand(query: unknown): unknown {
  return typeof query === "string" ? (NESTED_COMMANDS.get(query.toLowerCase()) ?? query) : query;
}

type QueryCallback = (error: unknown, result?: unknown) => void;

/**
 * The outer transaction's connection for a borrower: releasing it keeps it open. What a request asks at the same time is asked
 * one after the other, because a client takes one query at a time.
 */
function joined(outer: OuterTransaction): PoolClient {
  const { client } = outer;
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const inTurn = (first: unknown, ...rest: unknown[]): Promise<unknown> | undefined => {
    const callback = typeof rest.at(-1) === "function" ? (rest.pop() as QueryCallback) : undefined;
    const result = outer.last.then(() => query(nestedCommand(first), ...rest));
    outer.last = result.catch(() => undefined);
    if (callback === undefined) return result;
    result.then(
      (rows) => callback(null, rows),
      (error: unknown) => callback(error),
    );
    return undefined;
  };
  const borrowed = { query: inTurn, release: () => undefined };
  return Object.assign(Object.create(client) as PoolClient, borrowed);
}

/** What a kind of work leaves to all others: a fifth of the connections. */
const LEFT_TO_OTHERS = 5;
/** With the wait for a lock, less than most clients wait for an answer. */
const SHARE_WAIT_MS = 4_000;

/**
 * A pool whose connections join the transaction that `together` started further up the call, so that a
 * whole request commits as one: entities, literal SQL and nested transactions. Outside `together` it is a
 * plain pool.
 */
export class JoiningPool extends pg.Pool {
  readonly #outer = new AsyncLocalStorage<OuterTransaction>();
  readonly #kind = new AsyncLocalStorage<string>();
  readonly #shares = new ConnectionShares({
    most: Math.max(1, this.options.max - Math.ceil(this.options.max / LEFT_TO_OTHERS)),
    waitMs: SHARE_WAIT_MS,
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

  /** Whether a query here would join a transaction. */
  get isJoined(): boolean {
    return this.#outer.getStore()?.isOpen === true;
  }

  /** Runs `work` as one of its kind: together these leave a fifth of the connections to all others. */
  runAs<T>(kind: string, work: () => Promise<T>): Promise<T> {
    return this.#kind.run(kind, work);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | undefined {
    const outer = this.#outer.getStore();
    const taken = outer?.isOpen === true ? Promise.resolve(joined(outer)) : this.#checkOut();
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
      await this.#shares.enter(kind);
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

  /**
   * Runs `work` in one transaction that everything on this pool joins: committed when it returns, rolled
   * back when it throws.
   */
  async together<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    let client: PoolClient;
    try {
      client = await this.#checkOut();
    } catch (error) {
      throw databaseFault(error);
    }
    const outer: OuterTransaction = { client, isOpen: true, last: Promise.resolve() };
    let isUsable = true;
    try {
      await client.query("begin");
      const result = await this.#outer.run(outer, () => work(client));
      outer.isOpen = false;
      await client.query("commit");
      return result;
    } catch (error) {
      outer.isOpen = false;
      isUsable =
        !isUnanswered(error) &&
        (await client.query("rollback").then(
          () => true,
          () => false,
        ));
      throw databaseFault(error);
    } finally {
      client.release(!isUsable);
    }
  }
}
