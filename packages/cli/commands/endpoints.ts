import { Option, type Command } from "commander";
import type { EventName } from "../../client/feed.ts";
import {
  EVENT_TYPES,
  type RecoverWebhookEndpointRequest,
  type WebhookEndpoint,
} from "../../client/generated/api-types.ts";
import { EXIT_CODES } from "../errors.ts";
import { paintStatus, shortTime, type Column } from "../output.ts";
import { pollUntil } from "../poll-until.ts";
import type { Session } from "../session.ts";
import { eventTypes, leaf, listLeaf, type Json, type Limit } from "./define.ts";
import { waitForDelivery } from "./deliveries.ts";

interface CreateOptions extends Json {
  readonly type?: readonly EventName[];
  readonly description?: string;
}

interface TestOptions extends Json {
  readonly type?: EventName;
}

interface RecoverOptions extends Json {
  readonly since: string;
  readonly until?: string;
  readonly mode: RecoverWebhookEndpointRequest["mode"];
  readonly dryRun?: true;
}

/** A recovery may have many events to send. */
const RECOVERY_MS = 3_600_000;

const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  { name: "id", of: ({ id }) => id },
  { name: "url", of: ({ url }) => url },
  { name: "state", of: stateOf, paint: paintStatus },
  { name: "types", of: ({ enabled_events }) => enabled_events.join(", ") || "all" },
  { name: "last success", of: ({ last_success_at }) => shortTime(last_success_at) },
  { name: "failures", of: ({ consecutive_failures }) => consecutive_failures },
];

/** `nps endpoints`: where webhooks go. */
export function addEndpointCommands(program: Command, session: Session): void {
  const endpoints = program.command("endpoints").description("where webhooks go");
  listLeaf(endpoints, "list", "the account's endpoints").action((options: Limit) =>
    list(session, options),
  );
  leaf(endpoints, "create <url>", "create an endpoint; its signing secret is shown this once")
    .addOption(eventTypes("--type <type>", "send events of this type alone"))
    .option("--description <text>", "for people")
    .action((url: string, options: CreateOptions) => create(session, url, options));
  leaf(endpoints, "test <id>", "send a sample event and show the answer")
    .addOption(new Option("--type <type>", "of this type").choices(EVENT_TYPES))
    .action((id: string, options: TestOptions) => test(session, id, options));
  leaf(endpoints, "recover <id>", "send events again that the endpoint missed")
    .requiredOption("--since <time>", "events from this time on: 2026-03-02T14:00:00Z")
    .option("--until <time>", "events before this time; now unless given")
    .addOption(
      new Option("--mode <mode>", "failed, missing (skipped or never sent) or all events")
        .choices(["failed", "missing", "all"])
        .default("failed"),
    )
    .option("--dry-run", "only count")
    .action((id: string, options: RecoverOptions) => recover(session, id, options));
}

async function list(session: Session, options: Limit): Promise<void> {
  const found = await session.client.listWebhookEndpoints().toArray(options.limit);
  await session.printer(options).list(found, COLUMNS);
}

async function create(session: Session, url: string, options: CreateOptions): Promise<void> {
  const { type: enabled_events, description } = options;
  const body = { url, enabled_events, description };
  const created = await session.client.createWebhookEndpoint(body);
  session.printer(options).item(created, {
    id: created.id,
    url: created.url,
    types: created.enabled_events.join(", ") || "all",
    "signing secret": created.signing_secret,
  });
}

async function test(session: Session, id: string, options: TestOptions): Promise<void> {
  const out = session.printer(options);
  const body = { event_type: options.type };
  const sent = await session.client.testWebhookEndpoint(id, body);
  const ended = await waitForDelivery(session, out, sent);
  const last = ended.attempt_log.at(-1);
  out.item(ended, {
    delivery: ended.id,
    status: paintStatus(ended.status, out.style.paint),
    url: ended.url,
    type: ended.event_type,
    answer: last === undefined ? null : String(last.response_code ?? last.error?.message ?? ""),
    took: last === undefined ? null : `${last.duration_ms} ms`,
  });
  if (ended.status === "succeeded") return;
  session.exitCode = EXIT_CODES.negative;
  if (ended.status !== "retrying" || ended.next_attempt_at === null) return;
  out.note(`It is retried as any other delivery is, next at ${shortTime(ended.next_attempt_at)}.`);
}

async function recover(session: Session, id: string, options: RecoverOptions): Promise<void> {
  const out = session.printer(options);
  const { since, until, mode, dryRun = false } = options;
  const body = { since, until, mode, dry_run: dryRun };
  const started = await session.client.recoverWebhookEndpoint(id, body);
  const ended = dryRun
    ? started
    : await pollUntil(
        async () => {
          const now = await session.client.getWebhookRecovery(started.id);
          out.progress.show(`${now.succeeded + now.failed} of ${now.total} sent …`);
          return now.status === "running" ? null : now;
        },
        { timeoutMs: RECOVERY_MS, what: "the recovery", signal: session.host.signal },
      );
  out.progress.clear();
  if (dryRun && !out.isJson) {
    const what = ended.total === 1 ? "1 delivery" : `${ended.total} deliveries`;
    out.line(`Dry run: ${what} would be sent; nothing was sent.`);
    return;
  }
  out.item(ended, {
    recovery: ended.id,
    status: ended.status,
    total: String(ended.total),
    succeeded: String(ended.succeeded),
    failed: String(ended.failed),
  });
  if (ended.failed > 0 || ended.status === "cancelled") session.exitCode = EXIT_CODES.negative;
}

function stateOf({ active, paused_by }: WebhookEndpoint): string {
  return active ? "active" : `paused by ${paused_by ?? "nobody"}`;
}
