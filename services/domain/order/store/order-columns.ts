import type { ColumnType } from "../../../platform/db/recordset.ts";
import type { Order } from "../rules/order.ts";

type Own = Exclude<keyof Order, "numbers" | "requirements">;
type Fixed =
  | "id"
  | "account_id"
  | "batch_id"
  | "provider"
  | "country_code"
  | "number_type"
  | "losing_carrier"
  | "created_at";

/** The columns of orders.porting_orders that stay as the order was created. */
export const FIXED_COLUMNS = {
  id: "uuid",
  account_id: "uuid",
  batch_id: "uuid",
  provider: "text",
  country_code: "text",
  number_type: "text",
  losing_carrier: "text",
  created_at: "timestamptz",
} as const satisfies Record<Fixed, ColumnType>;

/** The columns that a decision can change: the compiler asks for each field of an order. */
export const DECIDED_COLUMNS = {
  status: "text",
  closed_by: "text",
  closed_reason: "jsonb",
  provider_status: "text",
  provider_status_at: "timestamptz",
  customer_reference: "text",
  webhook_url: "text",
  requirements_status: "boolean",
  foc_requested: "text",
  foc_actual: "text",
  foc_said_at: "timestamptz",
  request_version: "integer",
  review_attempt: "integer",
  exceptions: "jsonb",
  event_sequence: "integer",
  updated_at: "timestamptz",
  submitted_at: "timestamptz",
  closed_at: "timestamptz",
  deleted_at: "timestamptz",
  cancel: "jsonb",
  attention: "jsonb",
} as const satisfies Record<Exclude<Own, Fixed>, ColumnType>;
