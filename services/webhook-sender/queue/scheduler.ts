import type { Logger } from "../../platform/logger.ts";
import type { RunningAttempt } from "../attempt/attempt.ts";
import type { ClaimedDelivery } from "../store/claim-deliveries.ts";
import { NoSlot } from "../../platform/fair-slots.ts";
import { Unsent } from "../attempt/exchange.ts";
import { PRIORITIES, type DueLine } from "./endpoint-queue.ts";
import type { AttemptResult } from "../store/record-results.ts";
import { Slots, type PickedSlot, type Slot, type SlotsOptions } from "./slots.ts";

const CLAIM_BATCH = 128;
const MAX_CLAIMS = 2;
const FAULT_PAUSE_MS = 500;
/**
 * How much of all room, and of that of a host it shares, one account may take, however many of its endpoints hang: less
 * than what ends recovery.
 */
const ACCOUNT_SHARE = 0.7;
/** Recovery begins nothing while more than this of all room is taken. */
const RECOVERY_SHARE = 0.75;
/** Deliveries are claimed as they are created while less than this of all room is taken. */
const SHARE_OF_NEW = 0.5;

export interface SchedulerOptions extends Pick<SlotsOptions, "perHost" | "fetchDue" | "reserve"> {
  /** The most attempts in flight. */
  readonly concurrency: number;
  readonly claim: (ids: readonly string[]) => Promise<readonly ClaimedDelivery[]>;
  readonly start: (delivery: ClaimedDelivery) => Promise<RunningAttempt>;
  readonly onResult: (result: AttemptResult) => void;
  /** Ends the leases of deliveries whose attempts were cut off by a stop. */
  readonly giveBack: (deliveries: readonly ClaimedDelivery[]) => Promise<void>;
  /** Undoes the claims of deliveries that were not attempted. */
  readonly putBack: (deliveries: readonly ClaimedDelivery[]) => Promise<void>;
  /** Whether so many results wait to be written that no more attempts should start. */
  readonly isCongested: () => boolean;
  readonly log: Logger;
}

/**
 * Makes the attempts of this process: picks slots, claims their deliveries, runs them and passes on the
 * results. Its memory is only a hint; a delivery belongs to this process only once it is claimed.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #slots: Slots;
  #inFlight = 0;
  #claims = 0;
  #isPaused = false;
  #isStopped = false;
  #pumpIsDue = false;
  readonly #running = new Map<ClaimedDelivery, RunningAttempt>();
  #onIdle: (() => void) | null = null;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#slots = new Slots({
      perAccount: Math.ceil(options.concurrency * ACCOUNT_SHARE),
      perHost: options.perHost,
      // Rounded down: some room is always another's.
      perAccountOfHost: Math.max(1, Math.floor(options.perHost * ACCOUNT_SHARE)),
      fetchDue: options.fetchDue,
      reserve: options.reserve,
      onReady: () => this.notify(),
      onFault: (error) => this.#pause(error),
    });
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Of these lines Postgres has deliveries that are due. */
  wake(lines: readonly DueLine[]): void {
    for (const line of lines) this.#slots.wake(line);
  }

  /** How many deliveries of each endpoint may be claimed as they are created, by the number of events of each account. */
  rooms(events: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
    const { concurrency, isCongested } = this.#options;
    if (this.#isStopped || this.#isPaused || isCongested()) return {};
    return this.#slots.rooms(events, Math.floor(concurrency * SHARE_OF_NEW) - this.#inFlight);
  }

  /** Attempts deliveries that were claimed as they were created; puts back those that have no room by now. Never rejects. */
  async begin(claimed: readonly ClaimedDelivery[]): Promise<void> {
    if (claimed.length === 0) return;
    if (this.#isStopped) return this.#putBack(claimed);
    this.#inFlight += claimed.length;
    await this.#begin(
      claimed.map((delivery) => ({ slot: this.#slots.open(delivery.endpoint_key), delivery })),
    );
    this.#notifyIfIdle();
  }

  /** Signals that there may be room again outside the queues. */
  notify(): void {
    if (this.#pumpIsDue) return;
    this.#pumpIsDue = true;
    setImmediate(() => {
      this.#pumpIsDue = false;
      this.#pump();
    });
  }

  /** Stops claiming and waits for running attempts; gives back the leases of those that outlast `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    this.#notifyIfIdle();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([idle, late]);
    clearTimeout(timer);
    const cut = [...this.#running.keys()];
    for (const attempt of this.#running.values()) attempt.cancel();
    if (cut.length > 0) await this.#options.giveBack(cut);
  }

  #pump(): void {
    const { concurrency, isCongested } = this.#options;
    while (!this.#isStopped && !this.#isPaused && this.#claims < MAX_CLAIMS) {
      const most = isCongested() ? 0 : Math.min(CLAIM_BATCH, concurrency - this.#inFlight);
      const hasSpare = this.#inFlight < concurrency * RECOVERY_SHARE;
      const slots = this.#slots.pick(most, hasSpare ? PRIORITIES.recovery : PRIORITIES.retry);
      if (slots.length === 0) return;
      this.#inFlight += slots.length;
      void this.#claim(slots);
    }
  }

  async #claim(slots: readonly PickedSlot[]): Promise<void> {
    this.#claims += 1;
    let claimed: readonly ClaimedDelivery[] = [];
    try {
      claimed = await this.#options.claim([...new Set(slots.map(({ id }) => id))]);
    } catch (error) {
      // The deliveries are in Postgres; the sweep finds them again.
      this.#pause(error);
    }
    const byId = new Map(claimed.map((delivery) => [delivery.id, delivery]));
    const begun = slots.map((slot) => {
      const delivery = byId.get(slot.id);
      byId.delete(slot.id);
      return { slot, delivery };
    });
    await this.#begin(begun);
    this.#claims -= 1;
    this.#notifyIfIdle();
    this.notify();
  }

  async #begin(
    begun: readonly { readonly slot: Slot; readonly delivery: ClaimedDelivery | undefined }[],
  ): Promise<void> {
    const surplus: ClaimedDelivery[] = [];
    for (const { slot, delivery } of begun) {
      const admitted = delivery === undefined ? null : this.#slots.admit(slot, delivery);
      if (delivery !== undefined && admitted !== null) void this.#run(admitted, delivery);
      else {
        // Its host is full, or it is not due, claimed elsewhere, settled, or was fetched twice.
        this.#cancel(slot);
        if (delivery !== undefined) surplus.push(delivery);
      }
    }
    if (surplus.length > 0) await this.#putBack(surplus);
  }

  #cancel(slot: Slot): void {
    this.#inFlight -= 1;
    slot.queue.window.cancel();
    this.#slots.end(slot);
  }

  async #putBack(surplus: readonly ClaimedDelivery[]): Promise<void> {
    try {
      await this.#options.putBack(surplus);
    } catch (error) {
      // Their leases expire by themselves.
      this.#pause(error);
    }
  }

  async #run(slot: Slot, delivery: ClaimedDelivery): Promise<void> {
    const startedMs = performance.now();
    let result: Awaited<RunningAttempt["result"]> = null;
    try {
      const attempt = await this.#options.start(delivery);
      this.#running.set(delivery, attempt);
      result = await attempt.result;
    } catch (error) {
      // Not the receiver's response: the lease expires by itself and the attempt is made again.
      const fields = { err: error, delivery_id: delivery.id, event_id: delivery.event_id };
      this.#options.log.error(fields, "an attempt could not be made");
    }
    this.#running.delete(delivery);
    if (result instanceof Unsent) {
      await this.#putBackUnsent(slot, delivery, result.reason);
    } else this.#end(slot, result, startedMs);
    this.#notifyIfIdle();
  }

  /** Without a proxy nothing can be sent; without a turn for its name, this endpoint's window shrinks. */
  async #putBackUnsent(slot: Slot, delivery: ClaimedDelivery, reason: Error): Promise<void> {
    if (!(reason instanceof NoSlot))
      this.#pause(reason, "the proxy cannot be used: nothing is sent");
    await this.#putBack([delivery]);
    this.#cancel(slot);
  }

  #end(slot: Slot, result: AttemptResult | null, startedMs: number): void {
    this.#inFlight -= 1;
    const code = result?.entry.error?.code;
    const timedOut = code === "timeout_connect" || code === "timeout_response";
    slot.queue.window.end(timedOut, startedMs);
    if (result !== null) this.#options.onResult(result);
    this.#slots.end(slot);
  }

  #pause(error: unknown, what = "deliveries were not claimed"): void {
    if (this.#isPaused) return;
    this.#options.log.warn({ err: error }, what);
    this.#isPaused = true;
    setTimeout(() => {
      this.#isPaused = false;
      this.notify();
    }, FAULT_PAUSE_MS).unref();
  }

  #notifyIfIdle(): void {
    if (this.#inFlight === 0 && this.#claims === 0) this.#onIdle?.();
  }
}
