import { lockOrder } from "../../domain/order/store/read-order.ts";
import { finishCheck, postponeCheck, takeCheck, type TakenCheck } from "./store/document-checks.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { outgoing } from "../../messages/bus/outgoing.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { newId } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import { WakeUp } from "../../platform/wake-up.ts";
import { unreadable, type CheckResult } from "./check-result.ts";
import type { CheckAnswer, WarmWorker } from "./warm-worker.ts";

export interface CheckQueueOptions {
  /** As many documents are checked at once, each of another account. */
  readonly workers: readonly WarmWorker[];
  readonly files: Pick<FileStore, "lend">;
  /** How long reading a file is retried before its check fails. */
  readonly giveUpMs: number;
}

const POLL_MS = 1_000;
/** Longer than a worker's start and a check together may take. */
const LEASE_MS = 45_000;
const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 60_000;
/** Reading the file is tried at least this often, however old the request is. */
const MIN_TRIES = 3;
/** How many recently served accounts are remembered; other accounts go first. */
const SERVED_KEPT = 100;

/**
 * Checks the queued documents outside the consumer: no partition and no transaction waits for a file. Each worker checks
 * one at a time, and none of an account whose document another worker has, so that one account's files occupy one worker
 * at most. Any number of processes share the table.
 */
export class CheckQueue {
  readonly #bus: Bus;
  readonly #options: CheckQueueOptions;
  readonly #wakeUp = new WakeUp();
  readonly #idle: WarmWorker[];
  /** The checks in progress, by account. */
  readonly #checking = new Map<string, Promise<void>>();
  readonly #running: Promise<void>;
  #stopped = false;
  #served: readonly string[] = [];

  constructor(bus: Bus, options: CheckQueueOptions) {
    this.#bus = bus;
    this.#options = options;
    this.#idle = [...options.workers];
    this.#running = this.#run();
  }

  /** Wakes the queue: there may be a new document to check. */
  notify(): void {
    this.#wakeUp.call();
  }

  /** Stops the running checks; their documents are returned to the queue. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wakeUp.call();
    const { workers } = this.#options;
    for (const worker of workers) worker.stop();
    await this.#running;
    // One may have begun a check since.
    for (const worker of workers) worker.stop();
    await Promise.all(this.#checking.values());
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        if (await this.#beginNext()) continue;
      } catch (error) {
        this.#warn(error);
      }
      await this.#wakeUp.wait(POLL_MS);
    }
  }

  #warn(error: unknown): void {
    this.#bus.log.warn({ err: error }, "documents could not be checked and are retried");
  }

  /** False where no worker is idle or no document is due. */
  async #beginNext(): Promise<boolean> {
    const worker = this.#idle.at(-1);
    if (worker === undefined) return false;
    const { pool, clock } = this.#bus;
    const now = clock.now();
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    const busy = [...this.#checking.keys()];
    const check = await takeCheck(pool, { now, leaseUntil, served: this.#served, busy });
    if (check === null) return false;
    this.#idle.pop();
    const { account_id } = check;
    const others = this.#served.filter((one) => one !== account_id);
    this.#served = [...others, account_id].slice(-SERVED_KEPT);
    const checked = this.#check(worker, check, now)
      .catch((error: unknown) => this.#warn(error))
      .finally(() => {
        this.#checking.delete(account_id);
        this.#idle.push(worker);
        this.#wakeUp.call();
      });
    this.#checking.set(account_id, checked);
    return true;
  }

  async #check(worker: WarmWorker, check: TakenCheck, now: Date): Promise<void> {
    const { pool, clock } = this.#bus;
    const result = await this.#resultOf(worker, check, now);
    if (result === null) await postponeCheck(pool, check, retryAt(check, clock.now()));
    else await publish(this.#bus, check, result);
  }

  /** The result of a document's check; null where it must be retried. */
  async #resultOf(worker: WarmWorker, check: TakenCheck, now: Date): Promise<CheckResult | null> {
    const { files, giveUpMs } = this.#options;
    const waitedMs = now.getTime() - check.requested_at.getTime();
    if (check.tries > MIN_TRIES && waitedMs >= giveUpMs) {
      return unreadable("The file could not be read. Upload it again.");
    }
    const answer = await files
      .lend(check.document_id, (path) => worker.check(path))
      .catch(unavailable);
    if (answer.kind === "checked") return answer.result;
    const { order_id, document_id, tries } = check;
    const fields = { order_id, document_id, tries, reason: answer.reason };
    if (!this.#stopped) this.#bus.log.warn(fields, "a document cannot be read and is retried");
    return null;
  }
}

function unavailable(error: unknown): CheckAnswer {
  return { kind: "unavailable", reason: error instanceof Error ? error.message : "no reason" };
}

function retryAt({ tries }: TakenCheck, now: Date): Date {
  const pause = Math.min(RETRY_FIRST_MS * 2 ** Math.min(tries - 1, 10), RETRY_MAX_MS);
  return new Date(now.getTime() + pause);
}

/** Writes the result's message in the transaction that dequeues the document; nothing where another process has it now. */
async function publish(bus: Bus, check: TakenCheck, result: CheckResult): Promise<void> {
  const { order_id, attempt, slug, document_id } = check;
  const { code, detail } = result.passed ? { code: null, detail: null } : result;
  const found = { slug, document_id, passed: result.passed, code, detail };
  const isPublished = await inTransaction(bus.pool, async (tx) => {
    // The lock on the message's key keeps the messages of one order in sequence.
    const order = await lockOrder(tx, order_id);
    if (!(await finishCheck(tx, check)) || order === null) return false;
    const message = { kind: "document_checked", order_id, attempt, ...found } as const;
    const address = { key: order_id, messageId: newId(bus.clock.now()) };
    await writeOutbox(tx, [outgoing(bus, "porting.review-results", { ...address, message })]);
    return true;
  });
  if (!isPublished) return;
  bus.hint.notify();
  const counter = bus.metrics.counter({
    name: "document_checks_total",
    help: "Documents that were checked, by result",
    labels: ["result"],
  });
  counter.inc({ result: code ?? "passed" });
}
