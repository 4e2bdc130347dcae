import { Option, type Command } from "commander";
import { ApiError } from "../../client/errors.ts";
import type { EventName } from "../../client/feed.ts";
import {
  WEBHOOK_DELIVERY_STATUS_VALUES,
  type ListWebhookDeliveriesQuery,
  type WebhookAttempt,
  type WebhookDelivery,
} from "../../client/generated/api-types.ts";
import { EXIT_CODES, HintedError } from "../errors.ts";
import { paintStatus, shortTime, type Column, type Printer } from "../output.ts";
import { pollUntil } from "../poll-until.ts";
import type { Session } from "../session.ts";
import {
  eventTypes,
  firstItems,
  leaf,
  listLeaf,
  repeated,
  type Json,
  type Limit,
} from "./define.ts";

interface ListOptions extends Limit {
  readonly status?: ListWebhookDeliveriesQuery["status"];
  readonly type?: readonly EventName[];
  readonly endpoint?: string;
  readonly order?: string;
  readonly event?: string;
}

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { name: "created", of: ({ created_at }) => shortTime(created_at) },
  { name: "status", of: ({ status }) => status, paint: paintStatus },
  { name: "type", of: ({ event_type }) => event_type },
  { name: "attempts", of: ({ attempt_count }) => attempt_count },
  { name: "url", of: ({ url }) => url },
  { name: "id", of: ({ id }) => id },
  { name: "why", of: ({ trigger }) => trigger },
];

const ATTEMPTS: readonly Column<WebhookAttempt>[] = [
  { name: "attempt", of: ({ attempt }) => attempt },
  { name: "started", of: ({ started_at }) => shortTime(started_at) },
  { name: "took", of: ({ duration_ms }) => `${duration_ms} ms` },
  { name: "answer", of: ({ response_code, error }) => response_code ?? error?.message ?? "" },
  { name: "body", of: ({ response_body }) => (response_body ?? "").slice(0, 80) },
];

const NOTHING_NEXT = { next_attempt_at: null };

/** `nps deliveries`: the audit log of webhooks. */
export function addDeliveryCommands(program: Command, session: Session): void {
  const deliveries = program.command("deliveries").description("webhooks that were sent or tried");
  listLeaf(deliveries, "list", "the newest deliveries")
    .addOption(repeated("--status <status>", "only in this status", WEBHOOK_DELIVERY_STATUS_VALUES))
    .addOption(eventTypes("--type <type>", "only of events of this type"))
    .option("--endpoint <id>", "only to this endpoint")
    .option("--order <id>", "only of this order")
    .option("--event <id>", "only of this event")
    .action((options: ListOptions) => list(session, options));
  leaf(deliveries, "show <id>", "a delivery with its attempts and the body that was sent").action(
    (id: string, options: Json) => show(session, id, options),
  );
  leaf(deliveries, "retry <id>", "send a failed or skipped delivery again, now")
    .addOption(new Option("--no-wait", "do not wait for the answer"))
    .action((id: string, options: Json & { readonly wait: boolean }) =>
      retry(session, id, options),
    );
}

async function list(session: Session, options: ListOptions): Promise<void> {
  const { limit, status, type, endpoint, order, event } = options;
  const found = await firstItems(limit, (page) =>
    session.client.listWebhookDeliveries({
      ...page,
      status,
      event_type: type,
      webhook_endpoint_id: endpoint,
      porting_order_id: order,
      event_id: event,
    }),
  );
  await session.printer(options).list(found, COLUMNS);
}

async function show(session: Session, id: string, options: Json): Promise<void> {
  await showDelivery(session.printer(options), await session.client.getWebhookDelivery(id));
}

async function showDelivery(out: Printer, delivery: WebhookDelivery): Promise<void> {
  const { status, event_type, event_id, url, trigger, next_attempt_at, attempt_log } = delivery;
  out.item(delivery, {
    id: delivery.id,
    status: paintStatus(status, out.style.paint),
    event: `${event_type} ${event_id}`,
    url,
    trigger,
    order: delivery.porting_order_id,
    created: shortTime(delivery.created_at),
    "next attempt": next_attempt_at === null ? null : shortTime(next_attempt_at),
    completed: delivery.completed_at === null ? null : shortTime(delivery.completed_at),
  });
  if (out.isJson) return;
  out.line("");
  await out.list(attempt_log, ATTEMPTS);
  out.line(`\n${JSON.stringify(delivery.payload, null, 2)}`);
}

/** One that is not to be retried by hand may be retried anyway: its refusal says when. */
async function startRetry({ client }: Session, id: string): Promise<WebhookDelivery> {
  try {
    return await client.retryWebhookDelivery(id);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
    const { next_attempt_at: next } = await client.getWebhookDelivery(id).catch(() => NOTHING_NEXT);
    throw next === null
      ? error
      : new HintedError(error, `It is tried again by itself, next at ${shortTime(next)}.`);
  }
}

async function retry(
  session: Session,
  id: string,
  options: Json & { readonly wait: boolean },
): Promise<void> {
  const out = session.printer(options);
  const started = await startRetry(session, id);
  const ended = options.wait ? await waitForDelivery(session, out, started) : started;
  await showDelivery(out, ended);
  if (options.wait && ended.status !== "succeeded") session.exitCode = EXIT_CODES.negative;
}

/** An attempt takes 15 s at most; the rest is its way there. */
const PATIENCE_MS = 30_000;
const WAITING: ReadonlySet<string> = new Set(["pending", "retrying"]);

/** The delivery once its next attempt is over: it succeeded, failed, or waits for a retry. */
export async function waitForDelivery(
  { client, host }: Session,
  out: Printer,
  started: WebhookDelivery,
): Promise<WebhookDelivery> {
  out.progress.show(`Waiting for ${started.url} to answer …`);
  const ended = await pollUntil(
    async () => {
      const now = await client.getWebhookDelivery(started.id);
      // An attempt is counted when it starts, and logged when it is over.
      const isTried = now.attempt_log.length > started.attempt_log.length;
      return isTried || !WAITING.has(now.status) ? now : null;
    },
    { timeoutMs: PATIENCE_MS, what: "the receiver's answer", signal: host.signal },
  );
  out.progress.clear();
  return ended;
}
