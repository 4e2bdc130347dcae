import {
  insertInto,
  recordset,
  recordsetValue,
  type Columns,
  type RowOf,
} from "../../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { SecretBox } from "../../../platform/secret-box.ts";
import type { DecisionContext, Effect } from "../../../domain/order/rules/effects.ts";
import type { Order } from "../../../domain/order/rules/order.ts";
import {
  TIMELINE_ROW,
  timelineInsert,
  timelineRows,
} from "../../../domain/order/store/timeline.ts";
import { readKey } from "../../../domain/requirement/rules/number-values.ts";
import {
  resealedFor,
  VALUE_COLUMNS,
} from "../../../domain/requirement/store/requirement-values.ts";

const REQUIREMENT = {
  order_id: "uuid",
  slug: "text",
  status: "text",
  exception_reason: "text",
  ...VALUE_COLUMNS,
  check_state: "text",
  check_code: "text",
  check_detail: "text",
  updated_at: "timestamptz",
} as const satisfies Columns;

type RequirementRow = RowOf<typeof REQUIREMENT> & {
  readonly order_id: string;
  readonly slug: string;
};

/** Everything that was given to an order, sealed as it is stored. */
async function readGiven(tx: Queryable, orderId: string): Promise<RequirementRow[]> {
  const text = `select ${Object.keys(REQUIREMENT).join(", ")} from orders.requirements where order_id = $1`;
  return queryRows<RequirementRow>(tx, { text, values: [orderId] });
}

const INSERT = `with directed as (
    insert into webhooks.order_destinations (order_id, account_id, url, href)
    select $1, d.account_id, d.url, d.href from webhooks.order_destinations d where d.order_id = $2
  )
  insert into orders.porting_orders (id, account_id, batch_id, status, provider, country_code, number_type,
    losing_carrier, customer_reference, webhook_url, requirements_status, foc_requested, review_attempt,
    event_sequence, created_numbers, created_at, updated_at, submitted_at, requirement_profile_id,
    number_configuration)
  select $1, o.account_id, o.batch_id, $3, o.provider, o.country_code, o.number_type, o.losing_carrier,
    o.customer_reference, o.webhook_url, o.requirements_status, o.foc_requested, o.review_attempt, $4,
    cardinality($5::text[]), $6, $6, o.submitted_at, o.requirement_profile_id, o.number_configuration
  from orders.porting_orders o where o.id = $2`;

/** With what is stored of each number, such as the PIN that it will have. */
const MOVE = `update orders.order_numbers set order_id = $1
  where order_id = $2 and phone_number = any ($3::text[])`;

const COPY = { from_id: "uuid", to_id: "uuid" } as const satisfies Columns;

const DOCUMENTS = `insert into orders.documents
    (id, account_id, order_id, slug, content_type, size_bytes, sha256, created_at, page_texts)
  select u.to_id, d.account_id, $1, d.slug, d.content_type, d.size_bytes, d.sha256, $2, d.page_texts
  from orders.documents d join ${recordset("$3", COPY)} on u.from_id = d.id`;

const ENTRIES = timelineInsert(recordset("$1", TIMELINE_ROW));

export interface NewPart {
  /** From which it is split. */
  readonly from: Order;
  readonly part: Order;
  /** The ids of the copies of documents, by those of the originals. */
  readonly copies: ReadonlyMap<string, string>;
  /** Those of its creation, for its timeline. */
  readonly effects: readonly Effect[];
  readonly by: DecisionContext;
}

/** Stores an order that is split from another one: its numbers move, and all that was given is copied. */
export async function insertPart(
  tx: Queryable,
  box: SecretBox,
  { from, part, copies, effects, by }: NewPart,
): Promise<void> {
  const { id, status, event_sequence: sequence, created_at: at } = part;
  const numbers = part.numbers.map((number) => number.phone_number);
  await queryRows(tx, { text: INSERT, values: [id, from.id, status, sequence, numbers, at] });
  await queryRows(tx, { text: MOVE, values: [id, from.id, numbers] });
  const entries = recordsetValue(TIMELINE_ROW, timelineRows(part, effects, by));
  await queryRows(tx, { text: ENTRIES, values: [entries] });
  const documents = [...copies].map(([from_id, to_id]) => ({ from_id, to_id }));
  await queryRows(tx, { text: DOCUMENTS, values: [id, at, recordsetValue(COPY, documents)] });
  const given = await readGiven(tx, from.id);
  const isOwn = ({ slug }: RequirementRow): boolean => {
    const { phone_number: number } = readKey(slug);
    return number === null || numbers.includes(number);
  };
  const rows = given.filter(isOwn).map((row) => ({
    ...resealedFor(box, row, id),
    document_id: copies.get(row.document_id ?? "") ?? null,
  }));
  const text = insertInto("orders.requirements", REQUIREMENT, recordset("$1", REQUIREMENT));
  await queryRows(tx, { text, values: [recordsetValue(REQUIREMENT, rows)] });
}
