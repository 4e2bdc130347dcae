import type { Pool } from "pg";
import type { Queryable } from "../../platform/db/transaction.ts";
import { HeldFloor, type Examined } from "./held-floor.ts";
import {
  fetchPastHeld,
  inSnapshot,
  type Fetched,
  type FetchedPastHeld,
  type UnsentRange,
} from "./store/outbox-rows.ts";

/** How long a floor is kept: what a process of the version before makes unsent again does not drop it. */
const KEPT_MS = 1_800_000;

export interface PastHeldRange extends UnsentRange, Examined {
  /** The session of the locks on the shards. */
  readonly session: number;
  /** False once what is fetched would not be sent any more. */
  readonly mayGoOn: () => boolean;
}

/** Fetches the rows of the topics that are not held, however many of held ones wait among them. */
export class PastHeldFetcher {
  readonly #pool: Pool;
  #floor = new HeldFloor();
  /** The locks and the time that the floor is for. */
  #keptFor = "";
  #unsentAgain: number | null = null;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async fetch(range: PastHeldRange, nowMs: number): Promise<Fetched> {
    const keptFor = JSON.stringify([range.session, range.shards, Math.floor(nowMs / KEPT_MS)]);
    if (keptFor !== this.#keptFor) this.#floor = new HeldFloor();
    this.#keptFor = keptFor;
    await this.#floor.look(this.#pool, nowMs);
    const page = await this.#page(this.#pool, range, this.#floor.of(range));
    if (page.rows.length > 0 || page.examinedTo === null || this.#floor.isOpening) return page;
    return inSnapshot(this.#pool, (tx) => this.#pages(tx, range));
  }

  /**
   * Page by page to the first row that is not held. In one snapshot: a row that became visible below a page would be
   * overtaken by a later one of its key above it.
   */
  async #pages(tx: Queryable, range: PastHeldRange): Promise<Fetched> {
    for (let above = this.#floor.of(range); ;) {
      const page = await this.#page(tx, range, above);
      if (page.rows.length > 0 || page.examinedTo === null || !range.mayGoOn()) return page;
      above = page.examinedTo;
    }
  }

  async #page(db: Queryable, range: PastHeldRange, above: number): Promise<FetchedPastHeld> {
    const page = await fetchPastHeld(db, { ...range, above });
    const before = (this.#unsentAgain ??= page.unsentAgain);
    this.#unsentAgain = page.unsentAgain;
    if (page.unsentAgain !== before) {
      this.#floor = new HeldFloor();
      // Of what was left out below, some may have to be sent before what was found.
      if (above > 0) return { ...page, rows: [], full: true, examinedTo: 0 };
    }
    this.#floor.examined(page, range);
    return page;
  }
}
