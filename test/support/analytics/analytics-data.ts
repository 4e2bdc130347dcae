import type pg from "pg";
import type { EventContext } from "../../../services/domain/event/rules/event-context.ts";
import { toStorable } from "../../../services/domain/event/rules/storable-event.ts";
import { storeEvents } from "../../../services/domain/event/store/store-events.ts";
import type { SentEventType } from "../../../services/messages/events.ts";
import { newId } from "../../../services/platform/ids.ts";
import { buildEvent } from "../orders/event-factory.ts";

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

/** One step of an order: its new status, when, and who moved it. */
export type Step = readonly [status: string, at: Date, actor: string];

export interface KnownOrder {
  readonly country: string;
  readonly carrier: string | null;
  readonly closedBy?: string;
  readonly foc?: string;
  readonly activatedAt?: Date;
  readonly steps: readonly Step[];
}

/** Writes rows as the services do, with chosen times. */
export class AnalyticsData {
  readonly #pool: pg.Pool;
  readonly accountId: string = newId(new Date());
  #offset = 0;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Inserts a row; objects become JSON. */
  async insert(table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
    const names = Object.keys(row).join(", ");
    const text = `insert into ${table} (${names})
      select ${names} from jsonb_populate_record(null::${table}, $1)`;
    await this.#pool.query(text, [JSON.stringify(row)]);
  }

  /** An order with one number and its timeline; returns its id. */
  async order({ country, carrier, closedBy, foc, activatedAt, steps }: KnownOrder) {
    const [[, createdAt] = ["", new Date()]] = steps;
    const [status = "", endedAt] = steps.at(-1) ?? [];
    const id = newId(createdAt);
    const isEnded = ["completed", "completed_partial", "cancelled"].includes(status);
    await this.insert("orders.porting_orders", {
      id,
      account_id: this.accountId,
      batch_id: id,
      status,
      closed_by: closedBy ?? null,
      provider: "sandbox",
      provider_status: "",
      country_code: country,
      number_type: "local",
      losing_carrier: carrier,
      customer_reference: "",
      requirements_status: true,
      foc_actual: foc ?? null,
      request_version: 1,
      review_attempt: 1,
      exceptions: [],
      event_sequence: 1,
      created_at: createdAt,
      updated_at: createdAt,
      submitted_at: steps.find(([to]) => to === "in_review")?.[1] ?? null,
      closed_at: isEnded ? endedAt : null,
      requirement_profile_id: id,
    });
    await this.insert("orders.order_numbers", {
      order_id: id,
      position: 1,
      account_id: this.accountId,
      phone_number: `+1${id.slice(-10)}`,
      live: false,
      status: activatedAt === undefined ? "pending" : "active",
      activated_at: activatedAt ?? null,
    });
    for (const [n, [to, at, actor]] of steps.entries()) {
      await this.insert("orders.timeline", {
        id: newId(at),
        order_id: id,
        account_id: this.accountId,
        at,
        kind: "status",
        actor: { type: actor, id: null, name: null },
        data: { previous_status: steps[n - 1]?.[0] ?? null, new_status: to },
      });
    }
    return id;
  }

  /** An event of an order or, without one, of the sample number. */
  async event(type: SentEventType, at: Date, told: Partial<EventContext> & { orderId?: string }) {
    const { orderId, ...context } = told;
    const event = buildEvent(type, {
      id: newId(at),
      account_id: this.accountId,
      created_at: at,
      context: { actor: "carrier", provider: "sandbox", ...context },
      ...(orderId === undefined ? {} : { order_id: orderId, sequence_key: orderId }),
    });
    this.#offset += 1;
    const position = { topic: "t", partition: 0, nextOffset: this.#offset };
    await storeEvents(this.#pool, [toStorable(event)], {
      consumer: "event-log",
      positions: [position],
    });
  }
}
