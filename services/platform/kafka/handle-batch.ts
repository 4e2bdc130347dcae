import { setImmediate } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import { isStatementTimeout } from "../db/database-fault.ts";
import { AppError } from "../errors.ts";
import type { Position } from "../inbox/inbox.ts";
import type { Logger } from "../logger.ts";
import { classifyError } from "./kafka-faults.ts";
import {
  deadLetterMessages,
  type DeadLetterCause,
  type DeadLetterOptions,
} from "./dead-letters.ts";
import type { RawMessage } from "./raw-message.ts";
import type { TraceBatch } from "./trace-batches.ts";

/** A decoded record with its raw record. */
export interface Received<M> {
  readonly message: M;
  readonly raw: RawMessage;
}

/**
 * Applies messages of one partition, in order, together with the position after them, in one transaction.
 * It may be called again with the same messages.
 */
export type ApplyBatch<M> = (messages: readonly Received<M>[], position: Position) => Promise<void>;

/**
 * Returns for each message why it can never be applied, or null, so that unfit ones in a batch are
 * dead-lettered without trying the others one by one.
 */
export type VetBatch<M> = (messages: readonly Received<M>[]) => Promise<(AppError | null)[]>;

interface BatchPolicy<M> {
  readonly decode: (raw: RawMessage) => M | Promise<M>;
  readonly apply: ApplyBatch<M>;
  readonly vet?: VetBatch<M>;
  /** The most messages per call of `apply`. */
  readonly maxBatch: number;
  readonly deadLetters: DeadLetterOptions;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onDeadLetter?: (raw: RawMessage, code: string) => void;
  readonly bugBackoffMs?: readonly number[];
  /** Absent where tracing is off. */
  readonly trace?: TraceBatch | undefined;
}

/** What the consumer provides to a running batch. */
export interface BatchControl {
  /**
   * Resolves after the time and sends heartbeats meanwhile; false if the partition was lost or the
   * service stops.
   */
  readonly wait: (ms: number) => Promise<boolean>;
  readonly heartbeat: () => Promise<void>;
  readonly isOver: () => boolean;
  /** Commits the batch up to before this offset, unless it is over; the end of a batch is committed without it. */
  readonly commit: (nextOffset: number) => Promise<void>;
}

/** Four pauses between five tries, 30 s in total. */
const BUG_BACKOFF_MS = [1_000, 3_000, 8_000, 18_000];
const HOLD_FIRST_MS = 100;
const HOLD_MOST_MS = 5_000;

/** Of a transaction: a carrier may send poison by the thousand. */
const MOST_LETTERS = 100;
const MOST_LETTER_BYTES = 1024 * 1024;

/** No message is so short; what is and cannot be read is noise, of which this many in a batch have a letter each. */
const NOISE_BYTES = 64;
const MOST_NOISE = 500;
/** Messages of a batch that are read without a pause: other work has its turn between. */
export const READ_AT_ONCE = 500;

/** The partition was revoked or the service stops: no message is lost, they are delivered again. */
export class BatchInterrupted extends Error {}

/**
 * Handles a batch by the rules for errors (docs/contract/messages.md, Errors): hold on a transient fault, in smaller
 * batches where a statement timed out, dead-letter poison, try a bug five times.
 */
export class BatchHandler<M> {
  readonly #policy: BatchPolicy<M>;
  readonly #size: BatchSize;

  constructor(policy: BatchPolicy<M>) {
    this.#policy = policy;
    this.#size = new BatchSize(policy.maxBatch);
  }

  async handle(batch: readonly RawMessage[], control: BatchControl): Promise<void> {
    let good: Received<M>[] = [];
    const letters = new Letters();
    // The position moves with both, so what came before must be settled first.
    const settleGood = async (): Promise<void> => {
      const settled = good;
      good = [];
      await this.#applyAll(settled, control);
    };
    const settleLetters = (): Promise<void> => this.#deadLetterAll(letters.take(), control);
    for (const [n, raw] of batch.entries()) {
      if (n > 0 && n % READ_AT_ONCE === 0) await setImmediate();
      const decoded = await this.#decode(raw, control);
      if ("message" in decoded) {
        await settleLetters();
        good.push({ message: decoded.message, raw });
        // Applied as soon as a batch is full: a whole decoded fetch would be large.
        if (good.length >= this.#policy.maxBatch) await settleGood();
      } else {
        await settleGood();
        letters.addUnread(raw, decoded.failure);
        if (letters.isFull) await settleLetters();
      }
    }
    await settleLetters();
    await settleGood();
  }

  /** Dead-letters a message that is not read for the given reason. */
  refuse(raw: RawMessage, reason: AppError, control: BatchControl): Promise<void> {
    return this.#persist(control, () => this.#deadLetter([{ raw, error: reason }]));
  }

  /** Successive ones in one transaction; where that fails, one by one. */
  async #deadLetterAll(letters: readonly Failed[], control: BatchControl): Promise<void> {
    if (letters.length === 0) return;
    if (control.isOver()) throw new BatchInterrupted();
    const areWritten = await this.#persist(control, async () => {
      try {
        await this.#deadLetter(letters);
        return true;
      } catch (error) {
        const isDivisible = letters.length > 1 && isStatementTimeout(error);
        if (letters.length === 1 || (classifyError(error) === "transient" && !isDivisible)) {
          throw error;
        }
        return false;
      }
    });
    await control.heartbeat();
    if (areWritten) return;
    for (const one of letters) await this.#deadLetterAll([one], control);
  }

  async #applyAll(good: readonly Received<M>[], control: BatchControl): Promise<void> {
    await this.#inParts(good, control, (part) => this.#settleFit(part, control));
  }

  async #inParts(
    messages: readonly Received<M>[],
    control: BatchControl,
    settle: (part: readonly Received<M>[]) => Promise<void>,
  ): Promise<void> {
    for (let from = 0; from < messages.length;) {
      if (control.isOver()) throw new BatchInterrupted();
      const part = messages.slice(from, from + this.#size.now);
      await settle(part);
      await control.heartbeat();
      from += part.length;
    }
  }

  async #settleFit(messages: readonly Received<M>[], control: BatchControl): Promise<void> {
    const faults = await this.#vet(messages, control);
    let fit: Received<M>[] = [];
    const letters = new Letters();
    for (const [n, received] of messages.entries()) {
      const fault = faults[n] ?? null;
      if (fault === null) {
        await this.#deadLetterAll(letters.take(), control);
        fit.push(received);
        continue;
      }
      // The position moves with a dead-lettered message, so what came before it must have had its effect.
      if (fit.length > 0) await this.#settle(fit, control);
      fit = [];
      letters.add(received.raw, fault);
      if (letters.isFull) await this.#deadLetterAll(letters.take(), control);
    }
    await this.#deadLetterAll(letters.take(), control);
    if (fit.length > 0) await this.#settle(fit, control);
  }

  /** If vetting fails, the messages are tried, and their own failures decide. */
  async #vet(
    messages: readonly Received<M>[],
    control: BatchControl,
  ): Promise<readonly (AppError | null)[]> {
    const { vet } = this.#policy;
    if (vet === undefined) return [];
    return this.#persist(control, async () => {
      try {
        return await vet(messages);
      } catch (error) {
        if (classifyError(error) === "transient") throw error;
        return [];
      }
    });
  }

  #decode(
    raw: RawMessage,
    control: BatchControl,
  ): Promise<{ readonly message: M } | { readonly failure: unknown }> {
    return this.#persist(control, async () => {
      try {
        return { message: await this.#policy.decode(raw) };
      } catch (failure) {
        if (classifyError(failure) === "transient") throw failure;
        return { failure };
      }
    });
  }

  async #settle(messages: readonly Received<M>[], control: BatchControl): Promise<void> {
    const pauses = this.#policy.bugBackoffMs ?? BUG_BACKOFF_MS;
    for (let tries = 0; ; tries += 1) {
      const failure = await this.#tryOnce(messages, control);
      if (failure === null) {
        this.#size.wasApplied(messages.length);
        return;
      }
      const [only] = messages;
      if (isStatementTimeout(failure)) {
        this.#size.tookTooLong(messages.length);
        this.#policy.log.warn(
          { err: failure, messages: messages.length },
          "a batch took too long and is applied in smaller ones",
        );
        await control.heartbeat();
        await this.#inParts(messages, control, (part) => this.#settle(part, control));
        return;
      }
      if (messages.length > 1 || only === undefined) {
        for (const one of messages) await this.#settle([one], control);
        return;
      }
      const pause = pauses[tries];
      const poison = classifyError(failure) === "poison";
      if (poison || pause === undefined) {
        await this.#persist(control, () => this.#deadLetter([{ raw: only.raw, error: failure }]));
        return;
      }
      this.#policy.log.error({ err: failure, tries: tries + 1 }, "a handler failed; retrying");
      if (!(await control.wait(pause))) throw new BatchInterrupted();
    }
  }

  /** Null on success, else the error that waiting alone cannot fix. */
  async #tryOnce(messages: readonly Received<M>[], control: BatchControl): Promise<unknown> {
    const last = messages.at(-1)?.raw;
    if (last === undefined) return null;
    const position = {
      topic: last.topic,
      partition: last.partition,
      nextOffset: last.offset + 1,
    };
    const { trace } = this.#policy;
    if (trace === undefined) return this.#apply(messages, position, control);
    return trace(messages, () => this.#apply(messages, position, control));
  }

  #apply(
    messages: readonly Received<M>[],
    position: Position,
    control: BatchControl,
  ): Promise<unknown> {
    return this.#persist(control, async () => {
      try {
        await this.#policy.apply(messages, position);
        return null;
      } catch (error) {
        // What is too slow together would be so again; a single message can only wait.
        const isDivisible = messages.length > 1 && isStatementTimeout(error);
        if (classifyError(error) === "transient" && !isDivisible) throw error;
        return error;
      }
    });
  }

  /** Retries while the fault is transient. */
  async #persist<T>(control: BatchControl, work: () => Promise<T>): Promise<T> {
    for (let pause = HOLD_FIRST_MS; ; pause = Math.min(pause * 2, HOLD_MOST_MS)) {
      try {
        return await work();
      } catch (error) {
        if (classifyError(error) !== "transient") throw error;
        this.#policy.log.warn(
          { err: error, pause_ms: pause },
          "the partition is held until a transient fault passes",
        );
        if (!(await control.wait(pause))) throw new BatchInterrupted();
      }
    }
  }

  async #deadLetter(letters: readonly Failed[]): Promise<void> {
    const { deadLetters, onDeadLetter, log } = this.#policy;
    const refused = letters.map(({ raw, error }) => ({ raw, cause: causeOf(error) }));
    await deadLetterMessages(deadLetters, refused);
    for (const { raw, error } of letters) {
      const { code } = causeOf(error);
      onDeadLetter?.(raw, code);
      const { topic, partition, offset } = raw;
      const fields = { err: error, topic, partition, offset, code };
      if (code === BUG) log.error(fields, "a message was dead-lettered after five tries");
      else log.warn(fields, "a message was dead-lettered");
    }
  }
}

const BUG = "handler_failed";

function causeOf(error: unknown): DeadLetterCause {
  return error instanceof AppError && classifyError(error) === "poison"
    ? { code: error.code, detail: error.message }
    : { code: BUG, detail: "The handler failed five times; the log has the error." };
}

/** A message that is dead-lettered, and why. */
interface Failed {
  readonly raw: RawMessage;
  readonly error: unknown;
}

/** Successive messages of a partition that wait for the transaction of their dead letters. */
class Letters {
  #waiting: Failed[] = [];
  #bytes = 0;
  #noise = 0;
  /** How many successive messages the last one that waits stands for. */
  #run = 0;

  get isFull(): boolean {
    return this.#waiting.length >= MOST_LETTERS || this.#bytes >= MOST_LETTER_BYTES;
  }

  add(raw: RawMessage, error: unknown): void {
    this.#waiting.push({ raw, error });
    this.#bytes += raw.value?.length ?? 0;
  }

  /** Beyond a number of them in a batch, the last of successive messages that are noise stands for all. */
  addUnread(raw: RawMessage, error: unknown): void {
    const isNoise = (raw.value?.length ?? 0) < NOISE_BYTES;
    if (isNoise) this.#noise += 1;
    const isShared = isNoise && this.#noise > MOST_NOISE;
    if (isShared && this.#run > 0) this.#waiting.pop();
    this.#run = isShared ? this.#run + 1 : 0;
    this.add(raw, error);
  }

  take(): readonly Failed[] {
    const taken = this.#waiting;
    const last = taken.at(-1);
    if (last !== undefined && this.#run > 1) {
      taken[taken.length - 1] = { raw: last.raw, error: standsFor(this.#run, last.error) };
    }
    this.#run = 0;
    this.#waiting = [];
    this.#bytes = 0;
    return taken;
  }
}

function standsFor(count: number, error: unknown): AppError {
  const code = error instanceof AppError ? error.code : "undecodable";
  const detail = `${count} successive messages of fewer than ${NOISE_BYTES} bytes could not be read; this is the last of them.`;
  return new AppError(code, detail, { cause: error });
}

/** Of the most: how much a batch grows again with each success. */
const GROWTH = 1 / 64;

/** How many messages are applied at once: half as many once a batch took too long, and slowly more again. */
class BatchSize {
  readonly #most: number;
  #now: number;

  constructor(most: number) {
    this.#most = most;
    this.#now = most;
  }

  get now(): number {
    return this.#now;
  }

  /** Partitions share the size, and their batches fail together: it is half of what was tried. */
  tookTooLong(count: number): void {
    this.#now = Math.min(this.#now, Math.ceil(count / 2));
  }

  wasApplied(count: number): void {
    if (count < this.#now) return;
    this.#now = Math.min(this.#most, this.#now + Math.ceil(this.#most * GROWTH));
  }
}
