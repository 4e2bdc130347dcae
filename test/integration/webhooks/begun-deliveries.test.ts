import { beforeAll, describe, expect, it } from "@jest/globals";
import { toStorable } from "../../../services/domain/event/rules/storable-event.ts";
import { attemptError } from "../../../services/domain/webhook/rules/delivery.ts";
import { updateEndpoint } from "../../../services/domain/webhook/store/endpoints.ts";
import { inTransaction, queryRows } from "../../../services/platform/db/transaction.ts";
import {
  keepBegun,
  keepLongBegun,
} from "../../../services/domain/webhook/store/begun-deliveries.ts";
import type { ClaimedDelivery } from "../../../services/webhook-sender/store/claim-deliveries.ts";
import { fanOut } from "../../../services/webhook-sender/store/fan-out.ts";
import {
  recordResults,
  type AttemptResult,
} from "../../../services/webhook-sender/store/record-results.ts";
import { call } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { freshEvent } from "../../support/orders/event-factory.ts";
import { startWebhookApi } from "../../support/webhooks/webhook-calls.ts";
import { endLeases } from "../../support/webhooks/sender-process.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";

const HOUR_MS = 3_600_000;

let stack: WebhookStack;

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1h", onBroker: false });
});

/** A delivery that is created as claimed, at an endpoint of its own. */
async function begin(at = new Date()) {
  const account = await stack.newAccount();
  const { id: endpoint } = await stack.newEndpoint(account, "https://hooks.example.com/in");
  const { claimed, waiting } = await fanOut(stack.pool, {
    consumer: "webhook-sender",
    events: [toStorable(freshEvent(account, at))],
    positions: [{ topic: "porting.events", partition: 0, nextOffset: 1 }],
    now: new Date(),
    rooms: { [endpoint]: 1 },
  });
  return { account, endpoint, claimed, waiting };
}

async function beginOne() {
  const begun = await begin();
  const [delivery] = begun.claimed;
  if (delivery === undefined) throw new Error("nothing was begun");
  return { ...begun, delivery };
}

function resultOf(
  delivery: ClaimedDelivery,
  status: "succeeded" | "retrying" | "failed",
): AttemptResult {
  const endedAt = new Date();
  const dueAt = new Date(endedAt.getTime() + HOUR_MS);
  return {
    delivery,
    outcome: status === "retrying" ? { status, dueAt, step: 0 } : { status },
    endedAt,
    entry: {
      attempt: 1,
      started_at: endedAt.toISOString(),
      duration_ms: 1,
      response_code: status === "succeeded" ? 200 : 500,
      error: status === "succeeded" ? null : attemptError("http_error"),
      response_body: null,
    },
  };
}

const begunRows = () => queryRows(stack.pool, { text: "select id from webhooks.begun_deliveries" });

const change = (endpoint: string, what: string) =>
  queryRows(stack.pool, {
    text: `update webhooks.endpoints set ${what} where id = $1`,
    values: [endpoint],
  });

describe("a begun delivery", () => {
  it.each(["succeeded", "retrying", "failed"] as const)(
    "is written once, when its attempt has ended: %s",
    async (status) => {
      const { account, delivery } = await beginOne();
      expect(await stack.deliveries(account)).toEqual([]);
      const result = resultOf(delivery, status);
      expect(await recordResults(stack.pool, [result])).toEqual([{ id: delivery.id, status }]);
      const isOver = status !== "retrying";
      expect(await stack.deliveries(account)).toEqual([
        expect.objectContaining({
          id: delivery.id,
          event_id: delivery.event_id,
          webhook_endpoint_id: delivery.endpoint_key,
          status,
          trigger: "event",
          attempt_count: 1,
          attempt_log: [result.entry],
          next_attempt_at: isOver ? null : new Date(result.endedAt.getTime() + HOUR_MS),
          completed_at: isOver ? result.endedAt : null,
        }),
      ]);
      expect(await begunRows()).toEqual([]);
      expect(await recordResults(stack.pool, [result])).toEqual([]);
      expect(await stack.deliveries(account)).toHaveLength(1);
    },
  );

  it.each([
    ["active = false", "skipped"],
    ["deleted_at = now()", "cancelled"],
  ])("whose attempt fails after its endpoint was set %s is %s", async (what, status) => {
    const { account, endpoint, delivery } = await beginOne();
    await change(endpoint, what);
    await recordResults(stack.pool, [resultOf(delivery, "retrying")]);
    const [recorded] = await stack.deliveries(account);
    expect(recorded).toMatchObject({ status, next_attempt_at: null });
  });

  it("is shown by its id and among those of its event at once, and cannot be retried", async () => {
    const { account, endpoint, delivery } = await beginOne();
    const { url } = await startWebhookApi(stack, { allowCidrs: [], allowHttp: false });
    const ask = (path: string, method = "GET") =>
      call(`${url}/v2/${path}`, { key: account, method });
    const shown = { id: delivery.id, status: "pending", attempting: true, next_attempt_at: null };
    const at = `webhook_deliveries/${delivery.id}`;
    expect(await ask(at)).toMatchObject({ status: 200, body: shown });
    const ofEvent = `porting/events/${delivery.event_id}/deliveries`;
    expect((await ask(ofEvent)).body).toMatchObject({ data: [shown] });
    const chosen = `webhook_deliveries?event_id=${delivery.event_id}&webhook_endpoint_id=${endpoint}`;
    const type = `&event_type=${delivery.event_type}`;
    expect((await ask(chosen + type)).body).toMatchObject({ data: [shown] });
    expect((await ask(`${chosen}&status=failed`)).body).toMatchObject({ data: [] });
    expect(await ask(`${at}/retry`, "POST")).toMatchObject({
      status: 409,
      body: { type: "urn:numberporting:problem:invalid_state" },
    });
    await recordResults(stack.pool, [resultOf(delivery, "failed")]);
    expect((await ask(ofEvent)).body).toMatchObject({
      data: [{ id: delivery.id, status: "failed" }],
    });
    expect(await ask(`${at}/retry`, "POST")).toMatchObject({ status: 202 });
  });

  it("is recorded where it is kept while its result is being written", async () => {
    const { account, delivery } = await beginOne();
    let recording: Promise<unknown> = Promise.resolve();
    await inTransaction(stack.pool, async (tx) => {
      await keepBegun(tx, [delivery]);
      recording = recordResults(stack.pool, [resultOf(delivery, "succeeded")]);
      await eventually(async () => {
        const waiting = await queryRows(stack.pool, {
          text: `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and query like '%begun_deliveries%'`,
        });
        expect(waiting).toHaveLength(1);
      });
    });
    expect(await recording).toEqual([{ id: delivery.id, status: "succeeded" }]);
    expect(await stack.deliveries(account)).toMatchObject([{ status: "succeeded" }]);
  });

  it("is listed as pending once its attempt has lasted a second", async () => {
    const { account, delivery } = await beginOne();
    expect(await keepLongBegun(stack.pool)).toBe(0);
    await queryRows(stack.pool, {
      text: "update webhooks.begun_deliveries set lease_until = lease_until - interval '1 second'",
    });
    expect(await keepLongBegun(stack.pool)).toBe(1);
    expect(await stack.deliveries(account)).toMatchObject([
      { id: delivery.id, status: "pending", attempt_count: 0, attempting: true, attempt_log: [] },
    ]);
    await recordResults(stack.pool, [resultOf(delivery, "succeeded")]);
    expect(await stack.deliveries(account)).toMatchObject([{ status: "succeeded" }]);
  });

  it("is skipped where its sender ended, and its endpoint was paused and resumed before another started", async () => {
    const { account, endpoint } = await beginOne();
    const setActive = (active: boolean) =>
      inTransaction(stack.pool, (tx) =>
        updateEndpoint(
          tx,
          { accountId: account, id: endpoint },
          { patch: { active }, now: new Date() },
        ),
      );
    await setActive(false);
    await endLeases(stack);
    await setActive(true);
    expect(await stack.deliveries(account)).toMatchObject([
      { status: "skipped", attempt_log: [{ error: { code: "interrupted" } }] },
    ]);
  });

  it("is none of an event that lies further back than its month's table surely reaches", async () => {
    const { claimed, waiting } = await begin(new Date(Date.now() - 2 * HOUR_MS));
    expect(claimed).toEqual([]);
    expect(waiting).toHaveLength(1);
  });

  it("is not missing for a recovery", async () => {
    const { account, endpoint, delivery } = await beginOne();
    const { url } = await startWebhookApi(stack, { allowCidrs: [], allowHttp: false });
    const missing = async () => {
      const { body } = await call(`${url}/v2/webhook_endpoints/${endpoint}/recover`, {
        method: "POST",
        key: account,
        body: {
          since: new Date(Date.now() - HOUR_MS).toISOString(),
          mode: "missing",
          dry_run: true,
        },
      });
      return body;
    };
    expect(await missing()).toMatchObject({ total: 0 });
    await queryRows(stack.pool, {
      text: "delete from webhooks.begun_deliveries where id = $1",
      values: [delivery.id],
    });
    expect(await missing()).toMatchObject({ total: 1 });
  });
});
