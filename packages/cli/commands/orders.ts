import { Option, type Command } from "commander";
import { ApiError } from "../../client/errors.ts";
import {
  NUMBER_TYPE_VALUES,
  PORTING_ORDER_STATUS_VALUES,
  type CreatePortingOrderRequest,
  type ListedPortingOrder,
  type ListPortingOrdersQuery,
  type PortingOrder,
} from "../../client/generated/api-types.ts";
import { HintedError } from "../errors/cli-error.ts";
import { EXIT_CODES } from "../errors/exit-codes.ts";
import { fillOrder, type FilledField } from "../orders/fill-order.ts";
import { ORDER_COLUMNS, showOrder } from "../orders/show-order.ts";
import { watchOrder, type WatchOptions } from "../orders/watch-order.ts";
import type { Column } from "../output/render.ts";
import type { Session } from "../session.ts";
import { bySlug, firstItems, leaf, listLeaf, repeated, type Json, type Limit } from "./define.ts";

interface ListOptions extends Limit {
  readonly status?: ListPortingOrdersQuery["status"];
  readonly reference?: string;
  readonly number?: string;
}

interface CreateOptions extends Json {
  readonly type?: CreatePortingOrderRequest["number_type"];
  readonly carrier?: string;
  readonly reference?: string;
  readonly foc?: string;
  readonly webhookUrl?: string;
}

interface FillFlags extends Json {
  readonly set?: readonly string[];
  readonly file?: readonly string[];
  readonly sandbox?: true;
}

const FIELDS: readonly Column<FilledField>[] = [
  { name: "field", of: ({ slug }) => slug },
  { name: "value", of: ({ value }) => value },
];

/** `nps orders`: porting orders. */
export function addOrderCommands(program: Command, session: Session): void {
  const orders = program.command("orders").description("porting orders");
  addReading(orders, session);
  addChanging(orders, session);
}

function addReading(orders: Command, session: Session): void {
  listLeaf(orders, "list", "the newest orders")
    .addOption(repeated("--status <status>", "only in this status", PORTING_ORDER_STATUS_VALUES))
    .option("--reference <text>", "only with this reference")
    .option("--number <number>", "only with this number: +12125550123")
    .action((options: ListOptions) => list(session, options));
  leaf(orders, "show <id>", "an order: its status, what it waits for and what it asks for").action(
    async (id: string, options: Json) =>
      showOrder(session.printer(options), await session.client.getPortingOrder(id)),
  );
  leaf(orders, "watch <id>", "follow an order until it has ended")
    .addOption(
      new Option("--until <status>", "until it is in this status").choices(
        PORTING_ORDER_STATUS_VALUES,
      ),
    )
    .action((id: string, options: WatchOptions) => watchOrder(session, id, options));
}

function addChanging(orders: Command, session: Session): void {
  leaf(orders, "create <number...>", "create orders: one per country, type and carrier")
    .addOption(
      new Option("--type <type>", "where the numbers do not determine it").choices(
        NUMBER_TYPE_VALUES,
      ),
    )
    .option("--carrier <name>", "the losing carrier")
    .option("--reference <text>", "your own reference")
    .option("--foc <time>", "the date to ask for: 2026-03-02T09:00:00-05:00")
    .option("--webhook-url <url>", "where this order's webhooks go instead")
    .action((numbers: readonly string[], options: CreateOptions) =>
      create(session, numbers, options),
    );
  leaf(orders, "fill <id>", "give an order what it asks for; in a sandbox the rest by examples")
    .addOption(repeated("--set <slug=value>", "a value"))
    .addOption(repeated("--file <slug=path>", "a document, dated today"))
    .option("--sandbox", "fill the rest with examples, and sign; as on this machine anyway")
    .action((id: string, options: FillFlags) => fill(session, id, options));
  leaf(orders, "submit <id>", "submit an order for review").action((id: string, options: Json) =>
    submit(session, id, options),
  );
}

async function list(session: Session, options: ListOptions): Promise<void> {
  const { limit, status, reference, number } = options;
  const found = await firstItems(limit, (page) =>
    session.client.listPortingOrders({
      ...page,
      status,
      customer_reference: reference,
      phone_number: number,
    }),
  );
  await session.printer(options).list<ListedPortingOrder>(found, ORDER_COLUMNS);
}

async function create(
  session: Session,
  phone_numbers: readonly string[],
  options: CreateOptions,
): Promise<void> {
  const created = await session.client.createPortingOrder({
    phone_numbers,
    number_type: options.type,
    losing_carrier: options.carrier,
    customer_reference: options.reference,
    foc_requested: options.foc,
    webhook_url: options.webhookUrl,
  });
  await session.printer(options).list<PortingOrder>(created.data, ORDER_COLUMNS);
}

async function submit(session: Session, id: string, options: Json): Promise<void> {
  try {
    const submitted = await session.client.submitPortingOrder(id);
    await showOrder(session.printer(options), submitted);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "not_ready")) throw error;
    throw new HintedError(error, `Fill it: nps orders fill ${id} --set <slug=value>.`);
  }
}

async function fill(session: Session, id: string, options: FillFlags): Promise<void> {
  const [values, files] = [bySlug(options.set), bySlug(options.file)];
  const isGiven = values.size + files.size > 0;
  if (!isGiven) session.requireSandbox(options.sandbox === true);
  const out = session.printer(options);
  const filled = await fillOrder(session.client, id, {
    values,
    files,
    withExamples: session.isSandbox(options.sandbox === true),
    signal: session.host.signal,
    onProgress: (text) => out.progress.show(text),
  });
  out.progress.clear();
  const { ready, blocking } = filled.readiness;
  if (!ready) session.exitCode = EXIT_CODES.negative;
  if (out.isJson) {
    out.json(filled);
    return;
  }
  await out.list(filled.fields, FIELDS);
  for (const { slug, detail } of blocking) out.note(`${slug}: ${detail}`);
  out.note(ready ? `Ready: nps orders submit ${id}` : "The order is not ready.");
}
