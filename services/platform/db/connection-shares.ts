import { AppError } from "../errors.ts";

interface Share {
  held: number;
  readonly waiting: Waiter[];
}

interface Waiter {
  readonly resolve: () => void;
  readonly timer: NodeJS.Timeout;
}

export interface ShareOptions {
  /** How many connections one kind of work may hold at once. */
  readonly most: number;
  /** How long work waits for its kind to hold fewer. */
  readonly waitMs: number;
}

/**
 * Divides a pool: no kind of work may hold all of its connections, so that where one waits, behind a locked table for
 * instance, the others still find one.
 */
export class ConnectionShares {
  readonly #options: ShareOptions;
  readonly #shares = new Map<string, Share>();

  constructor(options: ShareOptions) {
    this.#options = options;
  }

  /** The work that waits for its kind to hold fewer. */
  get waitingCount(): number {
    return [...this.#shares.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  /** Whether this kind may take a connection without a wait. */
  hasRoom(kind: string): boolean {
    return (this.#shares.get(kind)?.held ?? 0) < this.#options.most;
  }

  /** Takes one connection of the kind's share; call `leave` when it is released. @throws `database_unavailable` */
  async enter(kind: string): Promise<void> {
    const share = this.#shareOf(kind);
    if (this.hasRoom(kind)) {
      share.held += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        share.waiting.splice(share.waiting.indexOf(waiter), 1);
        const detail = `All connections for ${kind} are in use.`;
        reject(new AppError("database_unavailable", detail, { retryable: true }));
      }, this.#options.waitMs);
      const waiter: Waiter = { resolve, timer };
      share.waiting.push(waiter);
    });
  }

  /** Gives a connection back, or to whoever has waited longest. */
  leave(kind: string): void {
    const share = this.#shareOf(kind);
    const next = share.waiting.shift();
    if (next === undefined) {
      share.held -= 1;
      if (share.held === 0) this.#shares.delete(kind);
    } else {
      clearTimeout(next.timer);
      next.resolve();
    }
  }

  #shareOf(kind: string): Share {
    const found = this.#shares.get(kind);
    if (found !== undefined) return found;
    const created: Share = { held: 0, waiting: [] };
    this.#shares.set(kind, created);
    return created;
  }
}
