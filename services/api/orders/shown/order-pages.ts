import { LRUCache } from "lru-cache";
import type { Clock } from "../../../platform/clock.ts";
import type { Queryable } from "../../../platform/db/transaction.ts";
import { isInTime, type KeptAnswer } from "./kept-answer.ts";
import type { OrderView } from "./order-view.ts";
import type { ShownOrders } from "./shown-orders.ts";
import { listVersions, readListed, type OrderList } from "./store/list-versions.ts";
import { PAGE_NUMBERS } from "./store/read-versioned.ts";

const MOST_BYTES = 16 * 1_048_576;
const LARGEST_BYTES = 262_144;
/** What an entry takes beside its texts. */
const ENTRY_BYTES = 500;

const BEGIN = Buffer.from('{"data":[');
const COMMA = Buffer.from(",");
const ENDS = [Buffer.from('],"has_more":false}'), Buffer.from('],"has_more":true}')] as const;

/** A page as JSON, in the list's order. */
export interface OrderPage {
  readonly json: Buffer;
  readonly hasMore: boolean;
  /** The last one in scan order, from which the next page goes on. */
  readonly farthestId: string | undefined;
}

interface KeptPage extends OrderPage {
  readonly from: number;
  readonly until: number;
}

export interface AskedPage extends OrderList {
  readonly view: OrderView;
  /** Whether the list's order is the other way round than the scan's. */
  readonly isReversed: boolean;
}

/**
 * Pages of orders. A page is kept under the ids and versions of its orders, which the database is asked for each time, and
 * is made of the kept orders where one of them has changed.
 */
export class OrderPages {
  readonly #orders: Pick<ShownOrders, "readSeveral">;
  readonly #clock: Clock;
  readonly #kept = new LRUCache<string, KeptPage>({
    maxSize: MOST_BYTES,
    maxEntrySize: LARGEST_BYTES,
    sizeCalculation: ({ json }, key) => json.length + key.length + ENTRY_BYTES,
  });

  constructor(orders: Pick<ShownOrders, "readSeveral">, clock: Clock) {
    this.#orders = orders;
    this.#clock = clock;
  }

  async read(db: Queryable, asked: AskedPage): Promise<OrderPage> {
    const listed = await listVersions(db, asked);
    const key = keyOf(asked, listed);
    const known = this.#kept.get(key);
    if (known !== undefined && isInTime(known, this.#clock.now().getTime())) return known;
    return this.#make(db, asked, { key, listed });
  }

  async #make(
    db: Queryable,
    { accountId, view, range, isReversed }: AskedPage,
    { key, listed: text }: { readonly key: string; readonly listed: string },
  ): Promise<OrderPage> {
    const listed = readListed(text);
    const fitting = listed.slice(0, range.fetch - 1);
    const answers = await this.#orders.readSeveral(db, { accountId, view, listed: fitting });
    const walked = walk(
      fitting.map(({ id }) => id),
      answers,
    );
    const { shown } = walked;
    const hasMore = walked.length < listed.length;
    const jsons = shown.map(({ json }) => json);
    const json = pageOf(isReversed ? jsons.toReversed() : jsons, hasMore);
    const page = { json, hasMore, farthestId: walked.farthestId };
    const isSame = shown.every(({ version }, n) => version === listed[n]?.version);
    if (isSame && shown.every(({ awaited }) => awaited === null)) {
      this.#kept.set(key, { ...page, ...timesOf(shown) });
    }
    return page;
  }
}

interface Walked {
  readonly shown: readonly KeptAnswer[];
  readonly farthestId: string | undefined;
  /** How many ids were walked, with those whose order has been deleted meanwhile. */
  readonly length: number;
}

/** The page ends with the order in which it reaches the most numbers. */
function walk(ids: readonly string[], answers: ReadonlyMap<string, KeptAnswer>): Walked {
  const shown: KeptAnswer[] = [];
  let farthestId: string | undefined;
  let numbers = 0;
  let length = 0;
  for (const id of ids) {
    if (numbers >= PAGE_NUMBERS) break;
    length += 1;
    const answer = answers.get(id);
    if (answer === undefined) continue;
    shown.push(answer);
    numbers += answer.numbersCount;
    farthestId = id;
  }
  return { shown, farthestId, length };
}

function timesOf(shown: readonly KeptAnswer[]): Pick<KeptPage, "from" | "until"> {
  return {
    from: Math.max(0, ...shown.map(({ from }) => from)),
    until: Math.min(Infinity, ...shown.map(({ until }) => until)),
  };
}

function pageOf(jsons: readonly Buffer[], hasMore: boolean): Buffer {
  const entries = jsons.flatMap((json, n) => (n === 0 ? [json] : [COMMA, json]));
  return joined([BEGIN, ...entries, ENDS[hasMore ? 1 : 0]]);
}

/** As one buffer in memory of its own, which a small page would else keep more of. */
function joined(parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) at += part.copy(bytes, at);
  return bytes;
}

/** What a page shows follows from all of these. */
function keyOf({ accountId, view, range, isReversed }: AskedPage, listed: string): string {
  return `${view.name} ${accountId} ${range.fetch} ${String(isReversed)} ${listed}`;
}
