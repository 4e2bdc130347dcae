import { AsyncLocalStorage } from "node:async_hooks";
import pg, { type PoolClient } from "pg";
import { databaseFault, isUnanswered } from "./database-fault.ts";
import type { Queryable } from "./transaction.ts";

/** A transaction that all database work further down the call joins until it has ended. */
interface OuterTransaction {
  readonly client: PoolClient;
  isOpen: boolean;
}

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: unknown) => void,
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

/** The outer transaction's connection for a borrower: releasing it keeps it open. */
function joined(client: PoolClient): PoolClient {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  return Object.assign(Object.create(client) as PoolClient, {
    query: (first: unknown, ...rest: unknown[]) => query(nestedCommand(first), ...rest),
    release: () => undefined,
  });
}

/**
 * A pool whose connections join the transaction that `together` started further up the call, so that a
 * whole request commits as one: entities, literal SQL and nested transactions. Outside `together` it is a
 * plain pool.
 */
export class JoiningPool extends pg.Pool {
  readonly #outer = new AsyncLocalStorage<OuterTransaction>();
  #reportWait: (seconds: number) => void = () => undefined;

  /** Reports how long each request for a connection has waited, with or without success, that found all in use. */
  onWaited(report: (seconds: number) => void): void {
    this.#reportWait = report;
  }

  /** Whether a query here would join a transaction. */
  get isJoined(): boolean {
    return this.#outer.getStore()?.isOpen === true;
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | undefined {
    const outer = this.#outer.getStore();
    if (outer?.isOpen !== true) {
      if (callback === undefined) return this.#checkOut();
      const waited = this.#startWaiting();
      super.connect((...result) => {
        waited?.();
        callback(...result);
      });
      return undefined;
    }
    const client = joined(outer.client);
    if (callback === undefined) return Promise.resolve(client);
    callback(undefined, client, () => undefined);
    return undefined;
  }

  #checkOut(): Promise<PoolClient> {
    const waited = this.#startWaiting();
    const asked = super.connect();
    return waited === null ? asked : asked.finally(waited);
  }

  /** Null where a connection is at hand; else what ends the wait. */
  #startWaiting(): (() => void) | null {
    if (this.idleCount > 0 || this.totalCount < this.options.max) return null;
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
    const outer: OuterTransaction = { client, isOpen: true };
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
