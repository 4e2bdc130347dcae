import { Option, type Command } from "commander";
import { ApiError } from "../../client/errors.ts";
import type { PortingEvent } from "../../client/feed.ts";
import {
  NUMBER_TYPE_VALUES,
  PORTING_ORDER_STATUS_VALUES,
  type CreatePortingOrderRequest,
  type GivenRequirements,
  type ListedPortingOrder,
  type ListPortingOrdersQuery,
  type NextAction,
  type PortingOrder,
  type PortingOrderChange,
  type Requirement,
} from "../../client/generated/api-types.ts";
import { EXIT_CODES, HintedError } from "../errors.ts";
import { fillingOf } from "../filling.ts";
import type { FilledField } from "../../client/fill-order.ts";
import { paintStatus, shortTime, type Column, type Paint, type Printer } from "../output.ts";
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
  readonly set?: readonly string[];
  readonly sign?: string;
  readonly skipInvalid?: true;
  readonly holder?: string;
  readonly lock?: true;
  readonly forward?: string;
}

interface ChangeOptions extends Json {
  readonly foc?: string;
  readonly remove?: readonly string[];
  readonly reason?: string;
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
    .addOption(repeated("--set <slug=value>", "a value that they ask for, or a document's id"))
    .option("--sign <name>", "sign their letters in the name of the authorized person")
    .option("--holder <id>", "a saved holder, whose values they get")
    .option("--lock", "lock their numbers against port-out as they become active")
    .option("--forward <number>", "forward their calls from the first one on: +12125550199")
    .option("--skip-invalid", "order the other numbers where some cannot be ordered")
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
  leaf(orders, "change <id>", "ask the carrier for another date, or fewer numbers")
    .option("--foc <time>", "the date to ask for; the confirmed one accepts that")
    .addOption(repeated("--remove <number>", "a number to take out of the order"))
    .option("--reason <text>", "why")
    .action((id: string, options: ChangeOptions) => askForChange(session, id, options));
  leaf(orders, "changes <id>", "the changes that an order's carrier was asked for").action(
    async (id: string, options: Json) => {
      const { data } = await session.client.listPortingOrderChanges(id);
      await session.printer(options).list<PortingOrderChange>(data, CHANGE_COLUMNS);
    },
  );
  leaf(orders, "withdraw-change <id> <change>", "withdraw a change that is pending").action(
    async (id: string, change: string, options: Json) => {
      const withdrawn = await session.client.withdrawPortingOrderChange(id, change);
      await session.printer(options).list<PortingOrderChange>([withdrawn], CHANGE_COLUMNS);
    },
  );
}

async function askForChange(session: Session, id: string, options: ChangeOptions): Promise<void> {
  const asked = await session.client.createPortingOrderChange(id, {
    foc_requested: options.foc,
    remove_phone_numbers: options.remove === undefined ? undefined : [...options.remove],
    reason: options.reason,
  });
  await session.printer(options).list<PortingOrderChange>([asked], CHANGE_COLUMNS);
}

const CHANGE_COLUMNS: readonly Column<PortingOrderChange>[] = [
  { name: "id", of: ({ id }) => id },
  { name: "status", of: ({ status }) => status, paint: paintStatus },
  { name: "date", of: ({ requested }) => requested.foc_requested ?? "" },
  { name: "removes", of: ({ requested }) => briefly(requested.remove_phone_numbers) },
  { name: "why", of: ({ detail, requested }) => detail ?? requested.reason ?? "" },
];

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
    requirements: requirementsOf(options),
    requirement_group_id: options.holder,
    number_configuration: configurationOf(options),
    skip_invalid: options.skipInvalid,
  });
  const out = session.printer(options);
  await out.list<PortingOrder>(created.data, ORDER_COLUMNS);
  for (const { phone_number: number, detail } of created.skipped ?? []) {
    out.note(`Left out ${number}: ${detail}`);
  }
}

function configurationOf({
  lock,
  forward,
}: CreateOptions): CreatePortingOrderRequest["number_configuration"] {
  if ((lock ?? forward) === undefined) return undefined;
  const forwarding = forward === undefined ? {} : { forwarding: { primary: forward } };
  return { default: { ...(lock && { port_out_lock: lock }), ...forwarding } };
}

function requirementsOf({ set, sign }: CreateOptions): GivenRequirements | undefined {
  if (set === undefined && sign === undefined) return undefined;
  const loa = sign === undefined ? {} : { loa: { signer_name: sign, consent: true as const } };
  return { ...Object.fromEntries(bySlug(set)), ...loa };
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
  const filled = await session.client.fillOrder(
    id,
    fillingOf({
      values,
      files,
      withExamples: session.isSandbox(options.sandbox === true),
      signal: session.host.signal,
      onProgress: (text) => out.progress.show(text),
    }),
  );
  out.progress.clear();
  const { ready, blocking, detail } = filled.readiness;
  if (!ready) session.exitCode = EXIT_CODES.negative;
  if (out.isJson) {
    out.json(filled);
    return;
  }
  await out.list(filled.fields, FIELDS);
  for (const { slug, detail } of blocking) out.note(`${slug}: ${detail}`);
  out.note(ready ? `Ready: nps orders submit ${id}` : (detail ?? "The order is not ready."));
}

/** For a list of orders. */
const ORDER_COLUMNS: readonly Column<PortingOrder | ListedPortingOrder>[] = [
  { name: "id", of: ({ id }) => id },
  { name: "status", of: ({ status }) => status, paint: paintStatus },
  { name: "country", of: ({ country_code }) => country_code },
  { name: "type", of: ({ number_type }) => number_type },
  { name: "numbers", of: ({ phone_numbers }) => briefly(phone_numbers) },
  { name: "reference", of: ({ customer_reference }) => customer_reference },
  { name: "next", of: ({ next_action }) => nextText(next_action) ?? "" },
];

const REQUIREMENTS: readonly Column<Requirement>[] = [
  { name: "field", of: ({ slug }) => slug },
  { name: "asked", of: ({ mandatory }) => (mandatory ? "mandatory" : "optional") },
  {
    name: "status",
    of: statusText,
    paint: paintStatus,
  },
  { name: "value", of: (one) => valueText(one).slice(0, 60) },
  { name: "reason", of: ({ exception_reason }) => exception_reason ?? "" },
];

/** An order with what it asks for and what is wrong with it. */
async function showOrder(out: Printer, order: PortingOrder): Promise<void> {
  const { next_action: next, closed_reason: closed } = order;
  const due = next.due_at === null ? "" : `, due ${shortTime(next.due_at)}`;
  out.item(order, {
    id: order.id,
    status: paintStatus(order.status, out.style.paint),
    numbers: briefly(order.phone_numbers),
    kind: `${order.country_code} ${order.number_type}`,
    "losing carrier": order.losing_carrier,
    reference: order.customer_reference === "" ? null : order.customer_reference,
    next: nextText(next, due),
    "carrier's status": order.provider_status === "" ? null : order.provider_status,
    "FOC requested": order.foc_requested,
    "FOC date": order.foc_actual,
    "closed because": closed === null ? null : `${closed.detail} (${closed.raised_by})`,
    created: shortTime(order.created_at),
  });
  if (out.isJson) return;
  for (const { code, detail, slug } of order.exceptions) {
    out.line(
      out.style.paint.red(`Exception: ${detail} (${[code, slug].filter(Boolean).join(", ")})`),
    );
  }
  out.line("");
  await out.list(order.requirements, REQUIREMENTS);
}

/** Null where nobody has to do anything any more. */
function nextText({ actor, action }: NextAction, due = ""): string | null {
  return actor === "none" ? null : `${actor}: ${action}${due}`;
}

/** One that is pending waits for a value, or has one that is looked at after the order is submitted. */
function statusText({ status, values, ...one }: Requirement): string {
  if (status !== "requirement-info-pending") return status.replace("requirement-info-", "");
  const isFilled = (values ?? [one]).every(({ field_value }) => field_value !== null);
  return isFilled ? "filled" : "empty";
}

/** Of values per number, how many there are; what each is stands in --json. */
function valueText({ field_value, values = [] }: Requirement): string {
  if (values.length <= 1) return field_value ?? "";
  const given = values.filter((value) => value.field_value !== null);
  return `${given.length} of ${values.length} numbers`;
}

/** The first of the numbers, and how many more there are. */
function briefly(numbers: readonly string[]): string {
  const shown = numbers.slice(0, 3).join(", ");
  return numbers.length > 3 ? `${shown} and ${numbers.length - 3} more` : shown;
}

interface WatchOptions {
  readonly until?: string;
  readonly json?: true;
}

export const ENDED: ReadonlySet<string> = new Set(["completed", "completed_partial", "cancelled"]);

/** Shows what happens to an order until it has ended, or is in the status that is waited for. */
async function watchOrder(session: Session, id: string, options: WatchOptions): Promise<void> {
  const { client, host } = session;
  const { until = "completed" } = options;
  const out = session.printer(options);
  // The position first, then the order: what happens in between is shown twice rather than not at all.
  const [newest] = await client.events({ limit: 1 }).toArray(1);
  const order = await client.getPortingOrder(id);
  if (out.isJson) out.json({ status: order.status });
  else out.line(nowLine(order, out.style.paint));
  let status: string = order.status;
  if (!isOver(status, until)) {
    const following = client.followEvents({
      startingAfter: newest?.id ?? null,
      signal: host.signal,
      onCut: () => out.progress.show("The stream was cut; waiting for the service …"),
      onOpen: () => out.progress.clear(),
    });
    for await (const event of following) {
      if (event.order_id !== id) continue;
      if (out.isJson) out.json(event);
      else out.line(eventLine(event, out.style.paint));
      status = statusAfter(event, status);
      if (isOver(status, until)) break;
    }
  }
  if (!isOver(status, until)) host.signal.throwIfAborted();
  if (status !== until) session.exitCode = EXIT_CODES.negative;
}

function isOver(status: string, until: string): boolean {
  return status === until || status === "deleted" || ENDED.has(status);
}

function statusAfter(event: PortingEvent, before: string): string {
  if (event.type === "porting_order.status_changed") return event.payload.new_status;
  return event.type === "porting_order.deleted" ? "deleted" : before;
}

function nowLine({ status, next_action: next }: PortingOrder, paint: Paint): string {
  const text = nextText(next);
  return paintStatus(status, paint) + (text === null ? "" : `  ${paint.dim(`next: ${text}`)}`);
}

function eventLine(event: PortingEvent, paint: Paint): string {
  return `${paint.dim(shortTime(event.created_at))}  ${whatHappened(event, paint)}`;
}

function whatHappened(event: PortingEvent, paint: Paint): string {
  if (event.type === "porting_order.status_changed") {
    const { new_status, porting_order } = event.payload;
    const date = porting_order.foc_actual === null ? "" : `  FOC date ${porting_order.foc_actual}`;
    return paintStatus(new_status, paint) + date;
  }
  if (event.type === "porting_order.requirement_updated") {
    const { slug, status, reason } = event.payload.requirement;
    return `${slug} ${paintStatus(status, paint)}${reason == null ? "" : `: ${reason}`}`;
  }
  if (event.type === "porting_order.new_comment") {
    const { author_type, body } = event.payload.comment;
    return `comment of ${author_type}: ${body}`;
  }
  if (event.type === "number.activated") {
    return `${event.payload.phone_number} is ${paint.green("active")}`;
  }
  return event.type;
}
