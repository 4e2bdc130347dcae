import { messageFrame } from "../../platform/http/routing/event-stream.ts";
import type { StreamHints } from "./answers.ts";
import type { RecentChanges } from "./store/recent-changes.ts";

/** A hint, and by what it is recognised in the next look. */
interface Found {
  readonly subject: string;
  readonly version: string;
  readonly frame: string;
}

/**
 * Picks what is new from overlapping looks at what changed lately: a transaction that commits late is in a later look,
 * and the rest of that was in the look before.
 */
export class NewHints {
  #seen: ReadonlyMap<string, string> = new Map();

  framesOf(recent: RecentChanges, at: Date): string[] {
    const cases = this.#unseen(casesOf(recent));
    const others = this.#unseen([...ordersOf(recent), ...healthOf(recent)]);
    const all = [...casesOf(recent), ...ordersOf(recent), ...healthOf(recent)];
    this.#seen = new Map(all.map(({ subject, version }) => [subject, version]));
    const isCounted = cases.length > 0 || recent.overdue > 0;
    const counts = isCounted ? [frameOf("counts", { at: at.toISOString() })] : [];
    return [...[...cases, ...others].map(({ frame }) => frame), ...counts];
  }

  #unseen(found: readonly Found[]): Found[] {
    return found.filter(({ subject, version }) => this.#seen.get(subject) !== version);
  }
}

function casesOf({ cases }: RecentChanges): Found[] {
  return cases.map(({ changed_at, due_at, ...rest }) => {
    const frame = frameOf("review", { ...rest, due_at: instant(due_at) });
    return {
      subject: `review ${rest.order_id} ${rest.attempt}`,
      version: changed_at + frame,
      frame,
    };
  });
}

function ordersOf({ orders }: RecentChanges): Found[] {
  return orders.map(({ entry_id, ...order }) => {
    const frame = frameOf("order", order);
    return { subject: `order ${order.id}`, version: entry_id + frame, frame };
  });
}

function healthOf({ health }: RecentChanges): Found[] {
  if (health === null) return [];
  const at = instant(health.minute);
  return [
    { subject: "health", version: at, frame: frameOf("health", { at, status: health.status }) },
  ];
}

function frameOf<T extends keyof StreamHints>(type: T, data: StreamHints[T]): string {
  return messageFrame({ type, data });
}

/** As the API writes it; Postgres gives microseconds and an offset. */
function instant(text: string): string {
  return new Date(text).toISOString();
}
