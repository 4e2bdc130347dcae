import { SERVICE_ROLES, type ServiceRole } from "../../../services/messages/bus/topic-rights.ts";

/** Every role that the migrations create: the services' own, and the one with which analysts read. */
export const ROLES = [...SERVICE_ROLES, "porting_analyst"] as const;

export type Role = (typeof ROLES)[number];

export type Right = "select" | "insert" | "update" | "delete" | "usage" | "execute";
/** On a whole object, or on one column of a table. */
export type Privilege = Right | `${"select" | "update"} (${string})`;

export type Grantees = Partial<Record<Role, readonly Privilege[]>>;

const READ = ["select"] as const;
const ADD = ["insert"] as const;
const READ_ADD = ["select", "insert"] as const;
const READ_CHANGE = ["select", "update"] as const;
const READ_ADD_CHANGE = ["select", "insert", "update"] as const;
const ALL = ["select", "insert", "update", "delete"] as const;
/** Locking a row takes the right to update one of its columns: the key, which referencing rows protect from changes. */
const LOCK = ["select", "update (id)"] as const;
/** Columns of orders.numbers that a port-out decision changes, and that a customer sets. */
const DECIDES_PORT_OUTS = ["select", "update (status)"] as const;
const SETS_NUMBERS = [
  "update (forwarding)",
  "update (port_out_lock)",
  "update (port_out_pin)",
  "update (port_out_pin_key_id)",
  "update (configuration)",
] as const;
/** The desk shows endpoints and resumes them; their signing secrets are not its own. */
const CHANGED_WITH_ENDPOINTS = [
  "url",
  "href",
  "description",
  "enabled_events",
  "active",
  "max_per_second",
  "paused_by",
  "paused_reason",
  "updated_at",
  "resumed_at",
] as const;
const RESUMES_ENDPOINTS = [
  ...["id", "account_id", "created_at", "deleted_at", ...CHANGED_WITH_ENDPOINTS].map(
    (column) => `select (${column})` as const,
  ),
  ...CHANGED_WITH_ENDPOINTS.map((column) => `update (${column})` as const),
];
const LOCK_SANDBOX = ["select", "insert", "update (port_out_ref)"] as const;
const ANALYSE = { porting_analyst: READ } as const;
const CALL = ["execute"] as const;
/** A case of before is read with the names of its account and its operators. */
const NAMES = ["select (id)", "select (name)"] as const;

/** One statement writes an order with its numbers, timeline, deadlines and webhook destination. */
const WRITES_ORDERS = ["porting_api", "porting_desk", "porting_order_lifecycle"] as const;
/** Consumers that handle each message once by the inbox; event-log does so by the log itself. */
const CLAIMS_MESSAGES = [
  "porting_requirement_review",
  "porting_order_lifecycle",
  "porting_carrier_adapter",
  "porting_webhook_sender",
] as const;
const CONSUMES = [...CLAIMS_MESSAGES, "porting_event_log"] as const;
const FRONT_DOORS = ["porting_api", "porting_desk"] as const;
const READS_EVENTS = [...FRONT_DOORS, "porting_webhook_sender", "porting_outbox_relay"] as const;
const WRITES_MESSAGES = [...FRONT_DOORS, ...CONSUMES] as const;

function each(roles: readonly ServiceRole[], privileges: readonly Privilege[]): Grantees {
  return Object.fromEntries(roles.map((role) => [role, privileges]));
}

/**
 * All rights of the roles: each table and view has its line, and no role can use one without it.
 * Partitions need none. `applyGrants` applies this to the database after the migrations.
 */
export const GRANTS = {
  table: {
    "accounts.accounts": {
      porting_api: LOCK,
      porting_desk: ["select", "insert", "update (name)", "update (status)"],
      porting_requirement_review: NAMES,
      porting_webhook_sender: READ,
    },
    "accounts.api_keys": {
      porting_api: ["select", "insert", "update (last_used_at)", "update (revoked_at)"],
      porting_desk: ["select", "insert", "update (revoked_at)"],
    },
    "accounts.audit_log": {
      porting_api: ADD,
      porting_desk: READ_ADD,
      porting_order_lifecycle: ADD,
    },
    "accounts.operators": {
      porting_desk: ["select", "insert", "update (name)", "update (role)", "update (active)"],
      porting_requirement_review: NAMES,
    },
    "accounts.operator_tokens": { porting_desk: ["select", "insert", "update (revoked_at)"] },
    "accounts.operator_sessions": {
      porting_desk: ["select", "insert", "update (used_at)", "delete"],
    },
    "accounts.saved_views": { porting_desk: ALL },
    "accounts.rejection_texts": { porting_desk: ["select", "insert", "delete"] },
    "accounts.portal_sessions": {
      porting_api: ALL,
      // Suspending an account ends its sessions.
      porting_desk: ["select", "update (ended_at)"],
    },
    "accounts.portal_cookies": { porting_api: ALL },
    "accounts.portal_branding": { porting_api: READ_ADD_CHANGE },
    "accounts.number_defaults": { porting_api: READ_ADD_CHANGE },
    "accounts.notice_settings": {
      porting_desk: READ_ADD_CHANGE,
      porting_webhook_sender: READ,
    },

    "orders.porting_orders": {
      porting_api: READ_ADD_CHANGE,
      // The desk splits orders.
      porting_desk: READ_ADD_CHANGE,
      porting_requirement_review: LOCK,
      porting_order_lifecycle: READ_CHANGE,
      porting_carrier_adapter: LOCK,
    },
    "orders.order_numbers": {
      porting_api: ALL,
      porting_desk: ALL,
      porting_requirement_review: READ,
      porting_order_lifecycle: ["select", "update", "delete"],
      porting_carrier_adapter: READ,
    },
    "orders.requirements": {
      ...each(WRITES_ORDERS, ALL),
      porting_requirement_review: READ,
      porting_carrier_adapter: READ,
    },
    "orders.requirement_profiles": {
      porting_api: READ_ADD,
      porting_desk: READ,
      porting_requirement_review: READ,
      porting_order_lifecycle: READ,
      porting_carrier_adapter: READ,
    },
    "orders.timeline": {
      porting_api: READ_ADD,
      porting_desk: READ_ADD,
      porting_order_lifecycle: ADD,
      porting_carrier_adapter: ADD,
    },
    "orders.comments": {
      porting_api: READ_ADD,
      porting_desk: READ_ADD,
      porting_order_lifecycle: ADD,
    },
    "orders.waiting_comments": { porting_api: READ_ADD_CHANGE, porting_desk: ALL },
    "orders.deadlines": each(WRITES_ORDERS, ALL),
    "orders.documents": {
      porting_api: ALL,
      porting_desk: READ_ADD,
      porting_requirement_review: READ,
      porting_carrier_adapter: READ,
    },
    "orders.requirement_groups": { porting_api: ALL },
    "orders.numbers": {
      porting_api: [...DECIDES_PORT_OUTS, ...SETS_NUMBERS],
      porting_desk: READ_ADD_CHANGE,
      porting_order_lifecycle: READ_ADD_CHANGE,
      porting_carrier_adapter: READ,
    },
    "orders.former_owners": {
      ...each(["porting_desk", "porting_order_lifecycle"], ADD),
      porting_carrier_adapter: READ,
    },
    "orders.port_outs": { ...each(WRITES_ORDERS, READ_ADD_CHANGE), porting_carrier_adapter: READ },
    "orders.port_out_numbers": {
      ...each(WRITES_ORDERS, READ_ADD_CHANGE),
      porting_carrier_adapter: READ,
      porting_webhook_sender: ["select (port_out_id)", "select (porting_order_id)"],
    },

    "reviews.cases": {
      porting_desk: READ_CHANGE,
      porting_requirement_review: [
        ...READ_ADD,
        "update (state)",
        "update (claimed_by)",
        "update (claimed_until)",
      ],
      porting_order_lifecycle: ["select", "update (outcome)"],
    },
    "reviews.case_values": { porting_desk: READ, porting_requirement_review: READ_ADD },
    "reviews.decisions": {
      porting_desk: READ_ADD,
      porting_order_lifecycle: READ,
    },
    // The documents of a deleted draft are removed once nobody needs their files.
    "reviews.document_checks": {
      porting_requirement_review: ALL,
      porting_api: ["select (document_id)"],
    },
    "reviews.document_readings": {
      porting_desk: READ,
      porting_requirement_review: READ_ADD_CHANGE,
    },
    "reviews.document_scans": {
      porting_desk: READ,
      porting_requirement_review: READ_ADD_CHANGE,
      porting_api: ["select (document_id)", "select (state)"],
    },

    "carriers.requests": { porting_desk: READ, porting_carrier_adapter: READ_ADD },
    "carriers.updates": { porting_desk: READ, porting_carrier_adapter: READ_ADD },
    "carriers.port_out_requests": {
      ...each(FRONT_DOORS, READ),
      porting_carrier_adapter: READ_ADD_CHANGE,
    },
    "carriers.port_out_updates": { porting_carrier_adapter: READ_ADD },
    "carriers.call_events": { porting_carrier_adapter: READ_ADD },
    "carriers.sandbox_port_outs": { porting_desk: LOCK_SANDBOX },

    "webhooks.endpoints": {
      porting_api: READ_ADD_CHANGE,
      porting_desk: RESUMES_ENDPOINTS,
      porting_webhook_sender: READ_CHANGE,
    },
    "webhooks.endpoint_pace": { porting_webhook_sender: READ_ADD_CHANGE },
    "webhooks.endpoint_health": {
      porting_api: READ_CHANGE,
      porting_desk: READ_CHANGE,
      porting_webhook_sender: READ_ADD_CHANGE,
    },
    "webhooks.account_secrets": {
      porting_api: READ_ADD_CHANGE,
      porting_desk: ADD,
      porting_webhook_sender: READ_ADD,
    },
    "webhooks.order_destinations": { ...each(WRITES_ORDERS, ALL), porting_webhook_sender: READ },
    "webhooks.recoveries": { porting_api: READ_ADD_CHANGE, porting_webhook_sender: READ_CHANGE },
    "webhooks.deliveries": {
      ...each(["porting_api", "porting_webhook_sender"], READ_ADD_CHANGE),
      porting_desk: READ_CHANGE,
    },
    "webhooks.notices": { porting_webhook_sender: ALL },
    // Written only by webhooks.next_delivery_times.
    "webhooks.delivery_times": {},
    // Of copies of 0.3, as shard of the outbox is.
    "webhooks.begun_deliveries": { porting_api: READ, porting_webhook_sender: ALL },
    // Written only by webhooks.drop_delivery_partition.
    "webhooks.delivery_retention": each(["porting_api", "porting_webhook_sender"], READ),

    // Written only by events.store.
    "events.log": each(READS_EVENTS, READ),
    "events.feed_counters": { porting_api: READ },

    "messaging.outbox": {
      ...each(WRITES_MESSAGES, ADD),
      porting_desk: READ_ADD,
      porting_outbox_relay: READ,
    },
    "messaging.relay_state": { porting_outbox_relay: READ_CHANGE },
    "messaging.deferred_topics": { porting_outbox_relay: ALL },
    "messaging.sent_messages": { porting_outbox_relay: ALL },
    "messaging.outbox_progress": each(["porting_desk", "porting_outbox_relay"], READ),
    "messaging.inbox": {
      ...each(CLAIMS_MESSAGES, READ_ADD),
      ...each([...FRONT_DOORS, "porting_outbox_relay"], READ),
    },
    "messaging.consumer_positions": {
      ...each(FRONT_DOORS, READ),
      ...each(CONSUMES, READ_ADD_CHANGE),
      porting_outbox_relay: ["select", "update (next_offset)", "update (updated_at)"],
    },
    "messaging.read_attempts": { ...each(CONSUMES, ALL), porting_desk: READ },
    "messaging.dead_letters": {
      ...each(CONSUMES, READ_ADD),
      porting_carrier_adapter: [...READ_ADD, "update (order_id)"],
      porting_desk: ["select", "update (state)", "update (updated_at)"],
      // What its topic can never take.
      porting_outbox_relay: READ_ADD,
    },
    // Written only by npm run backup, with the owner's rights.
    "messaging.orphans": {},
    "messaging.reconciliation": { porting_outbox_relay: READ_CHANGE },
    "messaging.idempotent_replies": each(FRONT_DOORS, ALL),
    // Only `secrets rotate` changes a key's seal, with the owner's rights.
    "messaging.generated_keys": each(FRONT_DOORS, READ_ADD),
    "messaging.rate_buckets": each(FRONT_DOORS, ALL),
    "messaging.health_samples": { porting_desk: ALL },
    "messaging.migration_checksums": each(SERVICE_ROLES, READ),
    "messaging.schema_ids": each(WRITES_MESSAGES, READ_ADD_CHANGE),
    "messaging.known_schemas": each(WRITES_MESSAGES, READ_ADD),
    // Written only by messaging.mark_primary.
    "messaging.primary_server": each(FRONT_DOORS, READ),

    "analytics.orders": ANALYSE,
    "analytics.order_steps": ANALYSE,
    "analytics.rejections": ANALYSE,
    "analytics.port_outs": ANALYSE,
    "analytics.numbers": ANALYSE,
    "analytics.calls": ANALYSE,
    "analytics.webhook_deliveries": ANALYSE,
  },
  sequence: {
    "messaging.outbox_id": { ...each(WRITES_MESSAGES, ["usage"]), porting_outbox_relay: READ },
  },
  function: {
    "messaging.time_of": each(READS_EVENTS, CALL),
    "messaging.uuid_at": each(["porting_api", "porting_webhook_sender"], CALL),
    "messaging.primary_mark": each(FRONT_DOORS, CALL),
    "messaging.mark_primary": each(FRONT_DOORS, CALL),
    "orders.requirement_profile_id": { porting_api: CALL },
    "orders.quota_used": { porting_api: CALL },
    "orders.note_dead_letter": each(CONSUMES, CALL),
    "orders.instant_of": each(WRITES_ORDERS, CALL),
    "reviews.case_due_at": each(FRONT_DOORS, CALL),
    "reviews.desk_alerts": { porting_webhook_sender: CALL },
    "messaging.stored_health": { porting_desk: CALL },
    "webhooks.account_counts": { porting_desk: CALL },
    "messaging.make_outbox_partitions": { porting_outbox_relay: CALL },
    "messaging.drop_done_partitions": { porting_outbox_relay: CALL },
    "messaging.forget_handled": { porting_outbox_relay: CALL },
    "carriers.forget_handled": { porting_outbox_relay: CALL },
    "webhooks.make_delivery_partitions": { porting_webhook_sender: CALL },
    "webhooks.drop_delivery_partition": { porting_webhook_sender: CALL },
    "webhooks.next_delivery_times": each(["porting_api", "porting_webhook_sender"], CALL),
    // Called by the API of 0.3.
    "webhooks.keep_ended_at": { porting_api: CALL },
    // Called by a trigger.
    "webhooks.keep_begun": {},
    "events.bodies_of": { porting_webhook_sender: CALL },
    "events.make_log_partitions": each(["porting_event_log", "porting_webhook_sender"], CALL),
    "events.store": each(["porting_event_log", "porting_webhook_sender"], CALL),
  },
} as const satisfies Record<string, Readonly<Record<string, Grantees>>>;
