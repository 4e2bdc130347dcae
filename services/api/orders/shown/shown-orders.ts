import { LRUCache } from "lru-cache";
import type { ExpirySpans } from "../../../domain/order/rules/due-times.ts";
import { readAwaitedTimes, readDueTimes } from "../../../domain/order/store/read-due-times.ts";
import { unknownOrder } from "../../../domain/order/store/read-order.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Queryable } from "../../../platform/db/transaction.ts";
import { inSlices } from "../../../platform/in-slices.ts";
import { gatherCalls } from "../../../platform/gather-calls.ts";
import type { AccountPrincipal } from "../../access/principal.ts";
import { dueAtOf, holds, makeAnswer, type KeptAnswer } from "./kept-answer.ts";
import type { OrderView } from "./order-view.ts";
import { findVersions, ownOrderKey } from "./store/order-versions.ts";
import type { ListedVersion } from "./store/list-versions.ts";
import { readSomeVersioned, readVersioned, type VersionedOrder } from "./store/read-versioned.ts";

const MOST_BYTES = 32 * 1_048_576;
const LARGEST_BYTES = 262_144;
/** What an entry takes beside its text. */
const ENTRY_BYTES = 500;
const MOST_AT_ONCE = 100;
/** Other requests have their turn after so many orders were made JSON. */
const SLICE = 4;

export interface ShownOrdersOptions {
  readonly db: Queryable;
  readonly clock: Clock;
  /** How long drafts and rejections may stay untouched. */
  readonly spans: ExpirySpans;
}

interface OwnOrder {
  readonly accountId: string;
  readonly orderId: string;
}

interface AskedOrders {
  readonly accountId: string;
  readonly view: OrderView;
  readonly listed: readonly ListedVersion[];
}

/**
 * Orders as JSON. The text is kept with the version of the order that it shows: the database is asked for the version each
 * time, and whether it is the account's, and for the order only where it has changed.
 */
export class ShownOrders {
  readonly #options: ShownOrdersOptions;
  readonly #kept = new LRUCache<string, KeptAnswer>({
    maxSize: MOST_BYTES,
    maxEntrySize: LARGEST_BYTES,
    sizeCalculation: ({ json }) => json.length + ENTRY_BYTES,
  });
  readonly #versionOf: (order: OwnOrder) => Promise<string | null>;

  constructor(options: ShownOrdersOptions) {
    this.#options = options;
    this.#versionOf = gatherCalls({
      run: async (orders: readonly OwnOrder[]) => {
        const versions = await findVersions(options.db, orders);
        return ({ accountId, orderId }) => versions.get(ownOrderKey(accountId, orderId)) ?? null;
      },
      most: MOST_AT_ONCE,
    });
  }

  /** An order of the caller's account. @throws `not_found` */
  async read(view: OrderView, { accountId, seen }: AccountPrincipal, orderId: string) {
    const { db } = this.#options;
    const known = this.#kept.get(keyOf(view, accountId, orderId));
    if (known !== undefined) {
      const version =
        seen?.orderId === orderId ? seen.version : await this.#versionOf({ accountId, orderId });
      if (version === null) throw unknownOrder();
      const isCurrent = holds(known, version, this.#options.clock.now().getTime());
      if (isCurrent && known.awaited === null) return known.json;
      const listed = [{ id: orderId, version }];
      const [current] = await this.#current(db, { accountId, view, listed });
      if (current !== undefined) return current[1].json;
    }
    const found = await readVersioned(db, accountId, orderId);
    if (found === null) throw unknownOrder();
    const [shown] = await this.#show(db, view, [found]);
    if (shown === undefined) throw unknownOrder();
    return shown[1].json;
  }

  /** Those of an account's orders that there still are, by id; of many numbers perhaps not the last ones. */
  async readSeveral(db: Queryable, asked: AskedOrders): Promise<ReadonlyMap<string, KeptAnswer>> {
    const current = new Map(await this.#current(db, asked));
    const missing = asked.listed.map(({ id }) => id).filter((id) => !current.has(id));
    if (missing.length === 0) return current;
    const found = await readSomeVersioned(db, asked.accountId, missing);
    for (const [id, answer] of await this.#show(db, asked.view, found)) current.set(id, answer);
    return current;
  }

  /** The kept answers that still hold. */
  async #current(
    db: Queryable,
    { accountId, view, listed }: AskedOrders,
  ): Promise<[string, KeptAnswer][]> {
    const nowMs = this.#options.clock.now().getTime();
    const held = listed.flatMap(({ id, version }): [string, KeptAnswer][] => {
      const known = this.#kept.get(keyOf(view, accountId, id));
      return known !== undefined && holds(known, version, nowMs) ? [[id, known]] : [];
    });
    const awaited = held.flatMap(([, answer]) => answer.awaited ?? []);
    if (awaited.length === 0) return held;
    const due = await readAwaitedTimes(db, awaited, this.#options.spans);
    return held.filter(
      ([id, { awaited: time, dueAt }]) => time === null || dueAt === dueAtOf(id, due),
    );
  }

  async #show(
    db: Queryable,
    view: OrderView,
    found: readonly VersionedOrder[],
  ): Promise<[string, KeptAnswer][]> {
    const { clock, spans } = this.#options;
    const dated = view.showsDueTime ? found.map(({ order }) => order) : [];
    const due = await readDueTimes(db, dated, spans);
    const shown = { view, due, now: clock.now() };
    return inSlices(found, SLICE, (one): [string, KeptAnswer] => {
      const { id, account_id: accountId } = one.order;
      const answer = makeAnswer(one, shown);
      this.#kept.set(keyOf(view, accountId, id), answer);
      return [id, answer];
    });
  }
}

function keyOf({ name }: OrderView, accountId: string, orderId: string): string {
  return `${name} ${ownOrderKey(accountId, orderId)}`;
}
