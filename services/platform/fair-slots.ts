import { AppError } from "./errors.ts";

interface FairSlotsOptions {
  /** How many run at once. */
  readonly total: number;
  /** How many of one owner run at once. */
  readonly perOwner: number;
  /** How many of one owner may wait for a slot. */
  readonly maxWaiting: number;
  /** How long each may wait for a slot, in milliseconds. */
  readonly maxWaitMs: number;
}

/** No slot came free in time, or too many of the same owner wait already: the work was never begun. */
export class NoSlot extends Error {
  constructor() {
    super("no slot came free in time");
    this.name = "NoSlot";
  }
}

/**
 * For `catch`: to a caller, work that was not begun is `rate_limited` with this detail, to be tried again after these
 * seconds, by default as soon as after any `rate_limited`; other errors stay.
 */
export function refusedAs(detail: string, afterSeconds?: number): (error: unknown) => never {
  const headers = afterSeconds === undefined ? {} : { "Retry-After": String(afterSeconds) };
  return (error) => {
    if (!(error instanceof NoSlot)) throw error;
    throw new AppError("rate_limited", detail, { cause: error, headers });
  };
}

/** For `catch`: work of this kind that was not begun found all connections in use, and may be tried again; other errors stay. */
export function connectionsInUse(kind: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof NoSlot)) throw error;
    const detail = `All connections for ${kind} are in use.`;
    throw new AppError("database_unavailable", detail, { retryable: true, cause: error });
  };
}

interface Waiter {
  readonly start: () => void;
  readonly timer: NodeJS.Timeout;
}

interface Owner {
  running: number;
  readonly waiting: Set<Waiter>;
}

/**
 * Runs work of many owners in a limited number of slots. Owners with waiting work take turns, so that however much one
 * of them asks for, another waits for one piece of each at most.
 */
export class FairSlots {
  readonly #options: FairSlotsOptions;
  readonly #owners = new Map<string, Owner>();
  /** Owners with waiting work, the one that is next first. */
  readonly #round = new Set<string>();
  #running = 0;

  constructor(options: FairSlotsOptions) {
    this.#options = options;
  }

  /** The pieces of work that wait for a slot. */
  get waitingCount(): number {
    return [...this.#owners.values()].reduce((sum, { waiting }) => sum + waiting.size, 0);
  }

  /** Whether an owner may have a slot without a wait. */
  hasRoom(name: string): boolean {
    const { total, perOwner } = this.#options;
    return this.#running < total && (this.#owners.get(name)?.running ?? 0) < perOwner;
  }

  /** Rejects with `NoSlot` where the work was not begun, else with what the work rejects with. */
  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    await this.enter(owner);
    try {
      return await work();
    } finally {
      this.leave(owner);
    }
  }

  /**
   * Takes a slot, which `leave` gives back: at once (undefined), or when the promise resolves. It rejects with `NoSlot`
   * where none came free.
   */
  enter(name: string): Promise<void> | undefined {
    const { total, maxWaiting, maxWaitMs } = this.#options;
    const owner = this.#ownerOf(name);
    if (this.#running < total && this.#mayStart(owner) && owner.waiting.size === 0) {
      this.#begin(owner);
      return undefined;
    }
    if (owner.waiting.size >= maxWaiting) return Promise.reject(new NoSlot());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        owner.waiting.delete(waiter);
        this.#forgetIdle(name, owner);
        reject(new NoSlot());
      }, maxWaitMs);
      const waiter = { start: resolve, timer };
      owner.waiting.add(waiter);
      this.#round.add(name);
    });
  }

  /** Gives back a slot that `enter` took. */
  leave(name: string): void {
    const owner = this.#ownerOf(name);
    owner.running -= 1;
    this.#running -= 1;
    this.#forgetIdle(name, owner);
    this.#startNext();
  }

  /** Each owner that may have a slot gets one before any gets a second. */
  #startNext(): void {
    let passed = 0;
    while (this.#running < this.#options.total && passed < this.#round.size) {
      const [name = ""] = this.#round;
      const owner = this.#ownerOf(name);
      const [waiter] = owner.waiting;
      this.#round.delete(name);
      if (waiter === undefined) continue;
      this.#round.add(name);
      if (!this.#mayStart(owner)) {
        passed += 1;
        continue;
      }
      passed = 0;
      owner.waiting.delete(waiter);
      if (owner.waiting.size === 0) this.#round.delete(name);
      clearTimeout(waiter.timer);
      this.#begin(owner);
      waiter.start();
    }
  }

  #mayStart(owner: Owner): boolean {
    return owner.running < this.#options.perOwner;
  }

  #begin(owner: Owner): void {
    owner.running += 1;
    this.#running += 1;
  }

  #ownerOf(name: string): Owner {
    const known = this.#owners.get(name);
    if (known !== undefined) return known;
    const owner = { running: 0, waiting: new Set<Waiter>() };
    this.#owners.set(name, owner);
    return owner;
  }

  #forgetIdle(name: string, owner: Owner): void {
    if (owner.waiting.size > 0) return;
    this.#round.delete(name);
    if (owner.running === 0) this.#owners.delete(name);
  }
}
