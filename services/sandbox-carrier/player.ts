import type { Step } from "./script.ts";

export interface PlayerOptions {
  readonly stepMs: number;
  /** Publishes the updates of one step in the request's trace; rejects if that failed. */
  readonly publish: (step: Step, request: PlayedRequest) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

/** The request that a script answers. */
export interface PlayedRequest {
  readonly requestId: string;
  /** The request's own, which its updates continue; undefined for none. */
  readonly traceparent: string | undefined;
}

interface Play extends PlayedRequest {
  readonly script: readonly Step[];
}

/**
 * Plays one script per order, one step every `stepMs`. Until `begin` it only collects requests and
 * updates already published; it forgets a finished script.
 */
export class Player {
  readonly #options: PlayerOptions;
  readonly #plays = new Map<string, Play>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #published = new Map<string, Set<string>>();
  #begun = false;

  constructor(options: PlayerOptions) {
    this.#options = options;
  }

  /** Sets an order's script, which replaces the previous one. */
  ask(orderId: string, request: PlayedRequest, script: readonly Step[]): void {
    if (this.#plays.get(orderId)?.requestId === request.requestId) return;
    this.#plays.set(orderId, { ...request, script });
    if (this.#begun) this.#schedule(orderId);
  }

  /** Notes an update found on the topic, whoever published it. */
  received(orderId: string, updateId: string): void {
    if (this.#begun && !this.#plays.has(orderId)) return;
    const published = this.#published.get(orderId) ?? new Set();
    this.#published.set(orderId, published.add(updateId));
    this.#forgetFinished(orderId);
  }

  begin(): void {
    this.#begun = true;
    for (const orderId of this.#published.keys()) {
      if (!this.#plays.has(orderId)) this.#published.delete(orderId);
    }
    for (const orderId of [...this.#plays.keys()]) {
      this.#schedule(orderId);
      this.#forgetFinished(orderId);
    }
  }

  /** Forgets everything: the topics are about to be read again. */
  reset(): void {
    this.#begun = false;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#plays.clear();
    this.#published.clear();
  }

  #next(orderId: string): Step | undefined {
    const published = this.#published.get(orderId);
    return this.#plays
      .get(orderId)
      ?.script.find((step) => step.some(({ update_id: id }) => published?.has(id) !== true));
  }

  #schedule(orderId: string): void {
    clearTimeout(this.#timers.get(orderId));
    const timer = setTimeout(() => void this.#step(orderId), this.#options.stepMs);
    this.#timers.set(orderId, timer);
  }

  async #step(orderId: string): Promise<void> {
    const play = this.#plays.get(orderId);
    const step = this.#next(orderId);
    if (play === undefined || step === undefined) {
      this.#forgetFinished(orderId);
      return;
    }
    try {
      await this.#options.publish(step, play);
      for (const { update_id: id } of step) this.received(orderId, id);
    } catch (error) {
      this.#options.onFault(error);
    }
    if (this.#begun && this.#plays.has(orderId)) this.#schedule(orderId);
  }

  #forgetFinished(orderId: string): void {
    if (!this.#begun || !this.#plays.has(orderId) || this.#next(orderId) !== undefined) return;
    clearTimeout(this.#timers.get(orderId));
    this.#timers.delete(orderId);
    this.#plays.delete(orderId);
    this.#published.delete(orderId);
  }
}
