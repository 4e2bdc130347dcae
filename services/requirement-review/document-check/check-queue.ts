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
  readonly worker: WarmWorker;
  readonly files: Pick<FileStore, "lend">;
  /** How long a file that cannot be read is tried again before its check fails. */
  readonly giveUpMs: number;
}

const POLL_MS = 1_000;
/** Longer than a worker's start and a check together may take. */
const LEASE_MS = 45_000;
const RETRY_FIRST_MS = 500;
const RETRY_MOST_MS = 60_000;
/** However old a request is, its file is looked for so often. */
const LEAST_TRIES = 3;
/** How many accounts take turns, the latest served last. */
const SERVED_KEPT = 100;

/**
 * Checks the documents of the table one after the other, beside the topic: no partition and no transaction waits for a
 * file. Any number of processes share the table.
 */
export class CheckQueue {
  readonly #bus: Bus;
  readonly #options: CheckQueueOptions;
  readonly #wakeUp = new WakeUp();
  readonly #running: Promise<void>;
  #stopped = false;
  #served: readonly string[] = [];

  constructor(bus: Bus, options: CheckQueueOptions) {
    this.#bus = bus;
    this.#options = options;
    this.#running = this.#run();
  }

  /** There may be something to check. */
  notify(): void {
    this.#wakeUp.call();
  }

  /** Ends the check that runs; its document is given back. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wakeUp.call();
    await this.#options.worker.stop();
    await this.#running;
    await this.#options.worker.stop();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        if (await this.#checkNext()) continue;
      } catch (error) {
        this.#bus.log.warn({ err: error }, "documents were not checked and are tried again");
      }
      await this.#wakeUp.wait(POLL_MS);
    }
  }

  /** False where no document is due. */
  async #checkNext(): Promise<boolean> {
    const { pool, clock } = this.#bus;
    const now = clock.now();
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    const check = await takeCheck(pool, { now, leaseUntil, served: this.#served });
    if (check === null) return false;
    const others = this.#served.filter((one) => one !== check.account_id);
    this.#served = [...others, check.account_id].slice(-SERVED_KEPT);
    const result = await this.#resultOf(check, now);
    if (result === null) await postponeCheck(pool, check, retryAt(check, clock.now()));
    else await publish(this.#bus, check, result);
    return true;
  }

  /** What a document's check came to; null where it is to be tried again. */
  async #resultOf(check: TakenCheck, now: Date): Promise<CheckResult | null> {
    const { worker, files, giveUpMs } = this.#options;
    const waitedMs = now.getTime() - check.requested_at.getTime();
    if (check.tries > LEAST_TRIES && waitedMs >= giveUpMs) {
      return unreadable("The file could not be read. Upload it again.");
    }
    const answer = await files
      .lend(check.document_id, (path) => worker.check(path))
      .catch(unavailable);
    if (answer.kind === "checked") return answer.result;
    const { order_id, document_id, tries } = check;
    const fields = { order_id, document_id, tries, reason: answer.reason };
    if (!this.#stopped) this.#bus.log.warn(fields, "a document cannot be read and is tried again");
    return null;
  }
}

function unavailable(error: unknown): CheckAnswer {
  return { kind: "unavailable", reason: error instanceof Error ? error.message : "no reason" };
}

function retryAt({ tries }: TakenCheck, now: Date): Date {
  const pause = Math.min(RETRY_FIRST_MS * 2 ** Math.min(tries - 1, 10), RETRY_MOST_MS);
  return new Date(now.getTime() + pause);
}

/** The result's message in the transaction that takes the document off the queue; nothing where another has it by now. */
async function publish(bus: Bus, check: TakenCheck, result: CheckResult): Promise<void> {
  const { order_id, attempt, slug, document_id } = check;
  const { code, detail } = result.passed ? { code: null, detail: null } : result;
  const found = { slug, document_id, passed: result.passed, code, detail };
  const isPublished = await inTransaction(bus.pool, async (tx) => {
    // The lock of the message's key keeps the messages of one order in order.
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
    help: "Documents that were checked, by what the check came to",
    labels: ["result"],
  });
  counter.inc({ result: code ?? "passed" });
}
