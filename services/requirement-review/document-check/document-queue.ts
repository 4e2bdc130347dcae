import { setTimeout as pause } from "node:timers/promises";
import type { CheckResult } from "../../domain/document/rules/check-result.ts";
import { lockOrderOnly } from "../../domain/order/store/read-order.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { outgoing } from "../../messages/bus/outgoing.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import type { CheckRequest, Taken, TakeOptions } from "./store.ts";
import type { WarmWorker } from "./warm-worker.ts";

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 60_000;
/** A file is tried to be read at least this often, however old the request is. */
const MIN_TRIES = 3;

interface Tried {
  /** The present one included. */
  readonly tries: number;
  readonly requested_at: Date;
}

/** When to try again what failed for no fault of the file. */
export function retryAt({ tries }: Pick<Tried, "tries">, now: Date): Date {
  const pause = Math.min(RETRY_FIRST_MS * 2 ** Math.min(tries - 1, 10), RETRY_MAX_MS);
  return new Date(now.getTime() + pause);
}

/** Whether a file could not be read for so long that it is lost. */
export function isLost({ tries, requested_at }: Tried, now: Date, giveUpMs: number): boolean {
  return tries > MIN_TRIES && now.getTime() - requested_at.getTime() >= giveUpMs;
}

/** What a job answers whose file cannot be had now. */
export function unavailable(error: unknown) {
  const reason = error instanceof Error ? error.message : "no reason";
  return { kind: "unavailable", reason } as const;
}

/**
 * Lets a loop sleep until it is called or its time is over; a call while it is awake is kept for the next
 * wait.
 */
export class WakeUp {
  #called = false;
  #end: ((called: boolean) => void) | null = null;

  call(): void {
    if (this.#end === null) this.#called = true;
    else this.#end(true);
  }

  /** True if it was called, false if the time was over. */
  wait(ms: number): Promise<boolean> {
    if (this.#called) {
      this.#called = false;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#end?.(false), ms);
      this.#end = (called) => {
        clearTimeout(timer);
        this.#end = null;
        resolve(called);
      };
    });
  }
}

/** Writes what was found, or returns the document to its queue; nothing where another process has it by now. */
export type Settle = () => Promise<void>;

export type DocumentWork = "check" | "read" | "scan";

/** A document that this process has taken, or documents of one order. */
export interface DocumentTask {
  readonly accountId: string;
  /** The work; what it found is written apart, because writing may have to be tried again. */
  run(worker: WarmWorker): Promise<Settle>;
}

/** A table of documents that wait for one kind of work. */
export interface TaskSource {
  readonly work: DocumentWork;
  /** The next task, taken until the lease ends. */
  take(options: TakeOptions): Promise<Taken<DocumentTask>>;
}

interface DocumentQueueOptions {
  /** As many documents are worked on at once, each of another account. */
  readonly workers: readonly WarmWorker[];
  /** The first that has a document goes first. */
  readonly sources: readonly TaskSource[];
}

/** For what other processes leave behind; of its own documents a process is notified. */
const POLL_MS = 2_000;
/** Longer than a worker's start, its work and a scan together may take. */
const LEASE_MS = 60_000;
/** Between tries to write a result. */
const FIRST_PAUSE_MS = 250;
const MOST_PAUSE_MS = 2_000;
/** How many recently served accounts are remembered; other accounts go first. */
const MAX_SERVED = 100;

/**
 * Works on the queued documents outside the consumer: no partition and no transaction waits for a file. Each worker has
 * one at a time, and none of an account whose document another worker has, so that one account's files occupy one worker
 * at most. Any number of processes share the tables.
 */
export class DocumentQueue {
  readonly #bus: Bus;
  readonly #options: DocumentQueueOptions;
  readonly #wakeUp = new WakeUp();
  readonly #idle: WarmWorker[];
  /** The work in progress, by account. */
  readonly #busy = new Map<string, Promise<void>>();
  readonly #running: Promise<void>;
  readonly #stopping = new AbortController();
  /** Kinds of work of which nothing was due, until when they are not looked at unless some is announced. */
  readonly #drained = new Map<DocumentWork, number>();
  #served: readonly string[] = [];

  constructor(bus: Bus, options: DocumentQueueOptions) {
    this.#bus = bus;
    this.#options = options;
    this.#idle = [...options.workers];
    this.#running = this.#run();
  }

  /** Wakes the queue: there may be new work of the kind. */
  notify(work: DocumentWork): void {
    this.#drained.delete(work);
    this.#wakeUp.call();
  }

  /** Stops the work in progress; its documents are returned to their queues. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wakeUp.call();
    const { workers } = this.#options;
    for (const worker of workers) worker.stop();
    await this.#running;
    // One may have begun another since.
    for (const worker of workers) worker.stop();
    await Promise.all(this.#busy.values());
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        if (await this.#beginNext()) continue;
      } catch (error) {
        this.#warn(error);
      }
      if (!(await this.#wakeUp.wait(POLL_MS))) this.#drained.clear();
    }
  }

  #warn(error: unknown): void {
    this.#bus.log.warn({ err: error }, "documents could not be checked and are retried");
  }

  /** False where no worker is idle or no document is due. */
  async #beginNext(): Promise<boolean> {
    // Out of the idle ones before anything is awaited: another may become idle meanwhile.
    const worker = this.#idle.pop();
    if (worker === undefined) return false;
    let task: DocumentTask | null = null;
    try {
      task = await this.#takeNext();
    } finally {
      if (task === null) this.#idle.push(worker);
    }
    if (task === null) return false;
    this.#start(worker, task);
    return true;
  }

  #start(worker: WarmWorker, task: DocumentTask): void {
    const { accountId } = task;
    const leaseEndsAt = performance.now() + LEASE_MS;
    const others = this.#served.filter((one) => one !== accountId);
    this.#served = [...others, accountId].slice(-MAX_SERVED);
    const done = task
      .run(worker)
      .finally(() => {
        this.#idle.push(worker);
        this.#wakeUp.call();
      })
      .then((settle) => this.#settle(settle, leaseEndsAt))
      .catch((error: unknown) => this.#warn(error))
      .finally(() => {
        this.#busy.delete(accountId);
        this.#wakeUp.call();
      });
    this.#busy.set(accountId, done);
  }

  /** Tries again while a fault may pass, until the document may be another process's: the work is not done again for it. */
  async #settle(settle: Settle, leaseEndsAt: number): Promise<void> {
    const { signal } = this.#stopping;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MOST_PAUSE_MS)) {
      try {
        await settle();
        return;
      } catch (error) {
        const mayPass = error instanceof AppError && error.retryable;
        const isLate = performance.now() + pauseMs > leaseEndsAt;
        if (!mayPass || isLate || signal.aborted) throw error;
        this.#bus.log.warn({ err: error, pause_ms: pauseMs }, "a result could not be written");
      }
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #take(source: TaskSource, options: TakeOptions): Promise<Taken<DocumentTask>> {
    try {
      return await source.take(options);
    } catch (error) {
      this.#drained.delete(source.work);
      throw error;
    }
  }

  async #takeNext(): Promise<DocumentTask | null> {
    const now = this.#bus.clock.now();
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    const options = { now, leaseUntil, served: this.#served, busy: [...this.#busy.keys()] };
    for (const source of this.#options.sources) {
      if ((this.#drained.get(source.work) ?? 0) > performance.now()) continue;
      // Before the look: what is announced during it may have come too late for it.
      this.#drained.set(source.work, performance.now() + POLL_MS);
      const { taken, more } = await this.#take(source, options);
      if (more) this.#drained.delete(source.work);
      if (taken !== null) return taken;
    }
    return null;
  }
}

interface DocumentResult {
  readonly address: Pick<CheckRequest, "order_id" | "attempt" | "slug" | "document_id"> &
    Partial<Pick<CheckRequest, "traceparent">>;
  readonly result: CheckResult;
}

/** Writes a result's message in one transaction with what `settle` does, which refuses both by returning false. */
export async function publishResult(
  bus: Bus,
  { address, result }: DocumentResult,
  settle: (tx: Queryable) => Promise<boolean>,
): Promise<void> {
  const { order_id, attempt, slug, document_id, traceparent } = address;
  const { code, detail } = result.passed ? { code: null, detail: null } : result;
  const found = { slug, document_id, passed: result.passed, code, detail };
  const isPublished = await inTransaction(bus.pool, async (tx) => {
    // The lock on the message's key keeps the messages of one order in sequence.
    const isKnown = await lockOrderOnly(tx, order_id);
    if (!(await settle(tx)) || !isKnown) return false;
    const message = { kind: "document_checked", order_id, attempt, ...found } as const;
    const traced = { ...bus, traceparent: traceparent ?? undefined };
    const target = { key: order_id, messageId: newId(bus.clock.now()) };
    await writeOutbox(tx, [outgoing(traced, "porting.review-results", { ...target, message })]);
    return true;
  });
  if (!isPublished) return;
  const counter = bus.metrics.counter({
    name: "document_checks_total",
    help: "Documents that were checked, by result",
    labels: ["result"],
  });
  counter.inc({ result: code ?? "passed" });
}
