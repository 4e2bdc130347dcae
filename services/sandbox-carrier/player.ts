import type { Step } from "./script.ts";

export interface PlayerOptions {
  readonly stepMs: number;
  /** Publishes updates of the due steps, in order, in the request's trace; rejects if that failed. */
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
  /** When its next step is due, on the monotonic clock. */
  dueAt: number;
}

/**
 * Plays one script per order, one step every `stepMs`; steps that came due while others were published go together.
 * Until `begin` it only collects requests and updates already published; it forgets a finished script.
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
    this.#plays.set(orderId, { ...request, script, dueAt: 0 });
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

  /** The steps that are not published yet. */
  #left(orderId: string): readonly Step[] {
    const published = this.#published.get(orderId);
    const { script = [] } = this.#plays.get(orderId) ?? {};
    return script.filter((step) => step.some(({ update_id: id }) => published?.has(id) !== true));
  }

  /** The next step is due a whole step from now. */
  #schedule(orderId: string): void {
    const play = this.#plays.get(orderId);
    if (play !== undefined) play.dueAt = performance.now() + this.#options.stepMs;
    this.#wait(orderId, this.#options.stepMs);
  }

  #wait(orderId: string, ms: number): void {
    clearTimeout(this.#timers.get(orderId));
    const timer = setTimeout(() => void this.#step(orderId), ms);
    this.#timers.set(orderId, timer);
  }

  async #step(orderId: string): Promise<void> {
    const play = this.#plays.get(orderId);
    const left = this.#left(orderId);
    if (play === undefined || left.length === 0) {
      this.#forgetFinished(orderId);
      return;
    }
    const steps = this.#countDue(play);
    const due = left.slice(0, steps).flat();
    play.dueAt += steps * this.#options.stepMs;
    try {
      await this.#options.publish(due, play);
      for (const { update_id: id } of due) this.received(orderId, id);
    } catch (error) {
      this.#options.onFault(error);
      play.dueAt = performance.now() + this.#options.stepMs;
    }
    // Another script that was asked for meanwhile has a timer of its own.
    if (!this.#begun || this.#plays.get(orderId) !== play) return;
    this.#wait(orderId, Math.max(0, play.dueAt - performance.now()));
  }

  /** One at least, because its timer has fired. */
  #countDue({ dueAt }: Play): number {
    return 1 + Math.floor(Math.max(0, performance.now() - dueAt) / this.#options.stepMs);
  }

  #forgetFinished(orderId: string): void {
    if (!this.#begun || !this.#plays.has(orderId) || this.#left(orderId).length > 0) return;
    clearTimeout(this.#timers.get(orderId));
    this.#timers.delete(orderId);
    this.#plays.delete(orderId);
    this.#published.delete(orderId);
  }
}
