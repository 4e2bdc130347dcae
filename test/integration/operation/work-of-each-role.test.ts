import { beforeAll, describe, expect, it } from "@jest/globals";
import type { ServiceRole } from "../../../services/messages/bus/topic-rights.ts";
import {
  all,
  ID,
  MONTH,
  outcomes,
  REFUSED,
  SPEAKS,
  STORE,
} from "../../support/stack/role-statements.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

const CLAIMS = [
  `insert into messaging.inbox values ('one', '${ID}') on conflict do nothing returning message_id`,
];

describe("the role of a service", () => {
  it.each<[ServiceRole, readonly string[]]>([
    [
      "porting_api",
      [
        ...SPEAKS,
        `select from accounts.accounts where id = '${ID}' for no key update`,
        "update accounts.api_keys set revoked_at = now()",
        "select from orders.porting_orders for update",
        "delete from orders.deadlines",
        "update orders.waiting_comments set since = now()",
        "update orders.port_outs set status = 'approved'",
        `insert into accounts.audit_log (id, at, operator_name, action) values ('${ID}', now(), 'a', 'b')`,
        "update orders.numbers set port_out_lock = true",
        "select body from events.log",
        "update webhooks.deliveries set priority = 0 where id = messaging.uuid_at(now())",
        "insert into messaging.generated_keys values ('one', '', '')",
      ],
    ],
    [
      "porting_desk",
      [
        ...SPEAKS,
        "update accounts.accounts set status = 'suspended'",
        "update accounts.operators set active = false",
        "update accounts.operator_tokens set revoked_at = now()",
        "delete from accounts.operator_sessions",
        "delete from accounts.saved_views",
        "delete from accounts.rejection_texts",
        "delete from orders.waiting_comments",
        "delete from messaging.rate_buckets",
        "insert into messaging.generated_keys values ('one', '', '')",
        "update orders.porting_orders set status = 'cancelled'",
        "update reviews.cases set decisions = '[]'",
        "select from messaging.read_attempts",
        "update orders.port_outs set status = 'approved'",
        "update orders.numbers set provider = 'manual'",
        "select from carriers.sandbox_port_outs for update",
        `insert into accounts.audit_log (id, at, operator_name, action) values ('${ID}', now(), 'a', 'b')`,
      ],
    ],
    [
      "porting_requirement_review",
      [
        ...SPEAKS,
        ...CLAIMS,
        "select from orders.porting_orders for update",
        "select name from accounts.operators",
        "update reviews.cases set state = 'withdrawn', claimed_by = null, claimed_until = null",
        "delete from reviews.document_checks",
        "update reviews.document_readings set due_at = now()",
        "update reviews.document_scans set due_at = now()",
        "select sealed_value from orders.requirements",
      ],
    ],
    [
      "porting_order_lifecycle",
      [
        ...SPEAKS,
        ...CLAIMS,
        "select from orders.porting_orders for update",
        "delete from webhooks.order_destinations",
        "update reviews.cases set outcome = 'applied'",
        "select from reviews.decisions",
        `insert into accounts.audit_log (id, at, operator_name, action) values ('${ID}', now(), 'a', 'b')`,
        "update orders.port_outs set status = 'expired'",
        "update orders.numbers set status = 'ported_out'",
        "delete from orders.deadlines",
      ],
    ],
    [
      "porting_carrier_adapter",
      [
        ...SPEAKS,
        ...CLAIMS,
        "select from orders.porting_orders for update",
        `insert into carriers.updates values ('one', 'two', null, '', now())`,
        `insert into carriers.call_events values ('${ID}', '${ID}', '${ID}') on conflict do nothing`,
        "select from carriers.port_out_requests for update",
        "select port_out_pin from orders.numbers",
      ],
    ],
    [
      "porting_webhook_sender",
      [
        ...SPEAKS,
        ...CLAIMS,
        STORE,
        "select events.make_log_partitions('2041-12-31', '2042-01-01')",
        "select webhooks.make_delivery_partitions('2041-12-31', '2042-01-01')",
        "update webhooks.deliveries set lease_until = now()",
        "select url from webhooks.order_destinations",
        "select from webhooks.endpoints for update skip locked",
        "select emails from accounts.notice_settings",
        "select from reviews.desk_alerts(now(), now())",
        "delete from webhooks.notices",
      ],
    ],
    [
      "porting_event_log",
      [...SPEAKS, STORE, "select events.make_log_partitions('2041-12-31', '2042-01-01')"],
    ],
    [
      "porting_outbox_relay",
      [
        "select pg_try_advisory_lock(1, 1)",
        "update messaging.relay_state set handled_id = 1",
        "delete from messaging.deferred_topics",
        "select active from pg_replication_slots",
        "select error_code from messaging.dead_letters",
        "insert into messaging.sent_messages (id, day) select id, day from messaging.outbox_progress",
        "select last_value from messaging.outbox_id",
        "select value from messaging.outbox",
        "update messaging.reconciliation set low_id = 1",
        "select from events.log where created_at = messaging.time_of(id)",
        "select messaging.make_outbox_partitions('2041-12-31', '2042-01-01')",
        "select messaging.drop_done_partitions('2001-01-01')",
        "select messaging.forget_handled('2001-01-01')",
      ],
    ],
  ])("%s can do its work", async (role, statements) => {
    expect(await outcomes({ url: database.url, role }, statements)).toEqual(
      all(statements, "done"),
    );
  });

  it.each<[ServiceRole, readonly string[]]>([
    [
      "porting_api",
      [
        STORE,
        "select events.make_log_partitions(now(), now())",
        "update events.feed_counters set last_seq = 0",
        "update accounts.accounts set status = 'active'",
        "select token_hash from accounts.operator_tokens",
        "select from accounts.audit_log",
        "select from reviews.cases",
        "select value from messaging.outbox",
        `insert into messaging.inbox values ('webhook-sender', '${ID}')`,
        "delete from orders.porting_orders",
        "update orders.numbers set provider = 'manual'",
        "delete from orders.port_outs",
        "delete from webhooks.deliveries",
        `update webhooks.deliveries_${MONTH} set status = 'succeeded'`,
        "update messaging.generated_keys set sealed_key = ''",
        "delete from messaging.generated_keys",
      ],
    ],
    [
      "porting_desk",
      [
        STORE,
        ...CLAIMS,
        "delete from reviews.document_checks",
        "insert into reviews.cases default values",
        "insert into messaging.dead_letters default values",
        "update accounts.operator_tokens set token_hash = ''",
        "delete from accounts.operators",
        "update accounts.operator_sessions set expires_at = now()",
        "update accounts.api_keys set key_hash = ''",
        "select from webhooks.account_secrets",
        "update carriers.port_out_requests set message_key = ''",
        "select signing_secret from webhooks.endpoints",
        "select previous_secret from webhooks.endpoints",
        "insert into carriers.requests default values",
        "delete from events.log",
        "update messaging.generated_keys set sealed_key = ''",
        "delete from messaging.generated_keys",
      ],
    ],
    [
      "porting_requirement_review",
      [
        STORE,
        "select status from accounts.accounts",
        "select role from accounts.operators",
        "select token_hash from accounts.operator_tokens",
        "select from accounts.operator_sessions",
        "select from accounts.audit_log",
        "update orders.porting_orders set status = 'cancelled'",
        "update orders.requirements set value = null",
        "select from orders.timeline",
        "select from orders.numbers",
        "update reviews.cases set decisions = '[]'",
        `insert into reviews.decisions (id) values ('${ID}')`,
        "select from webhooks.endpoints",
        "select from carriers.updates",
        "select body from events.log",
        "select value from messaging.outbox",
        "update messaging.dead_letters set state = 'parked'",
        "select from messaging.generated_keys",
        "select from messaging.health_samples",
      ],
    ],
    [
      "porting_order_lifecycle",
      [
        STORE,
        "insert into orders.porting_orders default values",
        "select from carriers.port_out_requests",
        "update reviews.cases set decisions = '[]'",
        `insert into reviews.decisions (id) values ('${ID}')`,
        "select from accounts.accounts",
        "select from orders.documents",
        "select from webhooks.deliveries",
        "select body from events.log",
      ],
    ],
    [
      "porting_carrier_adapter",
      [
        STORE,
        "update orders.porting_orders set status = 'completed'",
        "update orders.requirements set value = null",
        "update carriers.updates set content_hash = ''",
        "update orders.numbers set status = 'ported_out'",
        "update orders.port_outs set status = 'approved'",
        "select from accounts.accounts",
        "select from webhooks.endpoints",
        "select body from events.log",
      ],
    ],
    [
      "porting_webhook_sender",
      [
        "select from orders.porting_orders",
        "update orders.porting_orders set status = 'completed'",
        "select value from orders.requirements",
        "delete from orders.order_numbers",
        "insert into orders.timeline default values",
        "update webhooks.order_destinations set url = ''",
        "delete from webhooks.deliveries",
        "update accounts.accounts set status = 'active'",
        "select key_hash from accounts.api_keys",
        "update events.feed_counters set last_seq = 0",
        "select value from messaging.outbox",
        "select from messaging.generated_keys",
      ],
    ],
    [
      "porting_event_log",
      [
        "select body from events.log",
        "update events.feed_counters set last_seq = 0",
        "select from orders.porting_orders",
        "insert into orders.timeline default values",
        "select from accounts.accounts",
        "select from webhooks.deliveries",
        "select webhooks.make_delivery_partitions(now(), now())",
      ],
    ],
    [
      "porting_outbox_relay",
      [
        STORE,
        "insert into messaging.outbox (message_id, topic, shard) values (gen_random_uuid(), 'a', 0)",
        "delete from messaging.outbox",
        "update messaging.outbox set value = null",
        "update messaging.consumer_positions set consumer = 'a'",
        "delete from messaging.inbox",
        "select from orders.porting_orders",
        "select from accounts.accounts",
        "select from webhooks.deliveries",
      ],
    ],
  ])("%s cannot do the work of others", async (role, statements) => {
    expect(await outcomes({ url: database.url, role }, statements)).toEqual(
      all(statements, REFUSED),
    );
  });
});
