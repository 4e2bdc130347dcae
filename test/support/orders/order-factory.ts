import type { StatusUpdate } from "../../../services/domain/order/rules/status-update.ts";
import type { OrderRequirement } from "../../../services/domain/requirement/rules/requirement.ts";
import type {
  Order,
  OrderChange,
  OrderStatus,
} from "../../../services/domain/order/rules/order.ts";

export const T0 = new Date("2026-11-02T09:00:00.000Z");

/** A new draft of one number; `fields` overrides the defaults. */
export function buildOrder(fields: Partial<Order> = {}): Order {
  return {
    id: "01a1fc57-b585-7195-84b0-011dca65599f",
    account_id: "01a1fc57-b585-7195-84b0-000000000001",
    batch_id: "01a1fc57-b585-7195-84b0-000000000002",
    status: "draft",
    closed_by: null,
    closed_reason: null,
    provider: "sandbox",
    provider_status: "",
    provider_status_at: null,
    country_code: "US",
    number_type: "local",
    losing_carrier: null,
    customer_reference: "",
    webhook_url: null,
    requirements_status: true,
    foc_requested: null,
    foc_actual: null,
    foc_said_at: null,
    request_version: 0,
    review_attempt: 0,
    exceptions: [],
    cancel: null,
    attention: null,
    changes: [],
    requirements: [],
    numbers: [
      { phone_number: "+12125551234", status: "pending", failure_code: null, activated_at: null },
    ],
    event_sequence: 1,
    created_at: T0,
    updated_at: T0,
    submitted_at: null,
    closed_at: null,
    deleted_at: null,
    ...fields,
  };
}

/** An order in a status that it reached without detours. */
export function orderIn(status: OrderStatus, fields: Partial<Order> = {}): Order {
  const sent = !["draft", "in_review", "rejection"].includes(status);
  const dated = ["foc_scheduled", "activating", "completed", "completed_partial"].includes(status);
  const numberStatus =
    status === "activating" ? "activating" : status === "completed" ? "active" : "pending";
  const [number] = buildOrder().numbers;
  const cancel = {
    asked_by: "customer",
    asked_at: T0.toISOString(),
    reason: { code: null, detail: "The customer gave no reason.", raised_by: "customer" },
    from_status: "submitted",
    noted_status: null,
    noted_foc: null,
  } as const;
  return buildOrder({
    status,
    review_attempt: status === "draft" ? 0 : 1,
    request_version: sent ? 1 : 0,
    foc_actual: dated ? "2026-11-12T10:00:00-05:00" : null,
    cancel: status === "cancel_pending" ? cancel : null,
    numbers: number === undefined ? [] : [{ ...number, status: numberStatus }],
    ...fields,
  });
}

/** A pending change to the second version of an order's request; `fields` overrides the defaults. */
export function buildChange(fields: Partial<OrderChange> = {}): OrderChange {
  return {
    id: "01a1fc57-b585-7195-84b0-0000000000c1",
    status: "pending",
    foc_requested: "2026-11-25T10:00:00-05:00",
    remove_phone_numbers: [],
    reason: null,
    versions: [2],
    detail: null,
    created_at: T0.toISOString(),
    decided_at: null,
    ...fields,
  };
}

/** A mandatory text requirement that has a value. */
export function buildRequirement(fields: Partial<OrderRequirement> = {}): OrderRequirement {
  return {
    slug: "entity_name",
    scope: "order",
    values: [],
    unless: null,
    field_type: "text",
    mandatory: true,
    status: "requirement-info-pending",
    exception_reason: null,
    has_value: true,
    shown_value: "Acme Dental LLC",
    document_id: null,
    document_date: null,
    max_age_days: null,
    check_state: "none",
    check_code: null,
    check_detail: null,
    changed: false,
    ...fields,
  };
}

export function buildStatusUpdate(fields: Partial<StatusUpdate> = {}): StatusUpdate {
  return {
    kind: "acknowledged",
    raw_status: "RECEIVED",
    request_version: 1,
    occurred_at: new Date("2026-11-03T09:00:00.000Z"),
    foc_at: null,
    phone_numbers: null,
    code: null,
    text: null,
    slug: null,
    comment: null,
    reason_comment_id: "01a1fc57-b585-7195-84b0-00000000000a",
    ...fields,
  };
}
