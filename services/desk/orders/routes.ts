import { z } from "zod";
import { maskValues } from "../../domain/account/rules/audit-entry.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { commentAnswer } from "../../domain/order/answers/order-note-answer.ts";
import type { OrderCommand } from "../../domain/order/rules/decide.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { TRACE_STEPS } from "../../domain/order/rules/trace-steps.ts";
import { presentComment } from "../../domain/order/store/comments.ts";
import { commandAnyOrder } from "../../domain/order/store/order-commands.ts";
import { definitionOf } from "../../domain/requirement/rules/catalogue.ts";
import { maskValue } from "../../domain/requirement/rules/requirement.ts";
import type { Bus, RouteBus } from "../../messages/bus/bus.ts";
import type { TopicName } from "../../messages/topics.ts";
import { optionalOrNull, writtenText } from "../../platform/http/body/fields.ts";
import { keyset, page, pageQuery, unknownCursor } from "../../platform/http/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { created, ok } from "../../platform/http/routing/reply.ts";
import { newId } from "../../platform/ids.ts";
import { lead, reviewer, viewer, type DeskPath, type DeskRoute } from "../access/desk-routes.ts";
import { byOperator } from "../access/operator.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { deskOrderAnswer } from "./answers.ts";
import { nameInTrace } from "./name-in-trace.ts";
import { presentDeskOrder } from "./present-desk-order.ts";
import { orderReadRoutes } from "./read-routes.ts";
import { showOrders } from "./show-orders.ts";
import { requireAnyOrder } from "./store/desk-orders.ts";
import { readTrace, type TraceCursor, type TraceRow } from "./store/trace.ts";
import { traceEntryAnswer } from "./trace-answer.ts";

const FORM = /^(\d{1,15})\.(\d)\.(.{1,400})$/su;

/** The id of a step: its place in the trace. */
function traceIdOf({ at, rank, key }: TraceCursor): string {
  return Buffer.from(`${at.getTime()}.${rank}.${key}`).toString("base64url");
}

/** The position that an id names; null for what is not the id of a step. */
function readTraceId(id: string): TraceCursor | null {
  const [, at = "", rank = "", key = ""] =
    FORM.exec(Buffer.from(id, "base64url").toString("utf8")) ?? [];
  const cursor = { at: new Date(Number(at)), rank: Number(rank), key };
  const isOwn = at !== "" && !key.includes("\0") && traceIdOf(cursor) === id;
  return isOwn ? cursor : null;
}

const DEAD_LETTERS = ".dead-letter";

type Kind = Pick<Order, "country_code" | "number_type">;
type Values = Readonly<Record<string, unknown>>;
export type TraceReader = Pick<Bus, "codec" | "seal" | "topicPrefix">;

/** A step of an order's trace, its value decoded and masked. */
async function presentTraceStep(reader: TraceReader, order: Kind, row: TraceRow) {
  const { at, rank, name, traceparent, topic, actor, consumer, state, partition, offset } = row;
  const { request_id, message_id, event_id, delivery_id } = row;
  const shownTopic = topic?.slice(reader.topicPrefix.length) ?? null;
  return {
    id: traceIdOf(row),
    at,
    step: TRACE_STEPS[rank],
    name: name === topic ? shownTopic : name,
    ...{ actor, request_id, message_id, event_id, delivery_id },
    ...{ topic: shownTopic, partition, offset, consumer, state },
    trace_id: traceparent?.split("-")[1] ?? null,
    value: await valueOf(reader, order, row),
  };
}

async function valueOf(reader: TraceReader, order: Kind, row: TraceRow): Promise<Values | null> {
  if (row.raw === null) return row.value === null ? null : maskValues(row.value);
  const decoded =
    row.topic === null ? parsed(row.raw) : await decodedMessage(reader, { ...row, raw: row.raw });
  return decoded === null
    ? { base64: row.raw.toString("base64") }
    : withoutSecrets(maskValues(decoded), order);
}

/** A stored event's body. */
function parsed(body: Buffer): Values {
  return Object.fromEntries(Object.entries(JSON.parse(body.toString("utf8")) as object));
}

/** Null for bytes that cannot be decoded; sealed ones stay sealed. */
async function decodedMessage(
  { codec, seal, topicPrefix }: TraceReader,
  row: TraceRow & { readonly raw: Buffer },
): Promise<Values | null> {
  const topic = row.topic ?? "";
  const name = topic.slice(topicPrefix.length).replace(DEAD_LETTERS, "");
  const stored = { value: row.raw, sealedKeyId: row.sealed_key_id };
  try {
    const value = seal.open(stored, { topic, messageId: row.message_id ?? "" });
    // A name that is not a topic of the bus fails to decode as well.
    return { ...(await codec.decode(name as TopicName, value)) };
  } catch {
    return null;
  }
}

/** Masks the requirements in a request to a carrier, and the links that open a document without a key. */
function withoutSecrets(value: Values, order: Kind): Values {
  const { requirements, documents } = value;
  return {
    ...value,
    ...(Array.isArray(requirements)
      ? { requirements: requirements.map((one: Values) => maskRequirement(one, order)) }
      : {}),
    ...(Array.isArray(documents)
      ? { documents: documents.map((one: Values) => ({ ...one, url: null })) }
      : {}),
  };
}

function maskRequirement(requirement: Values, order: Kind): Values {
  const { slug, value } = requirement;
  if (typeof slug !== "string" || typeof value !== "string") return requirement;
  const sensitivity = definitionOf(order, slug)?.sensitivity ?? "hidden";
  return { ...requirement, value: maskValue(value, sensitivity) };
}

const entryId = z.string().min(1).max(600);

const traceQuery = z.strictObject({
  limit: pageQuery.limit,
  order: z.enum(["asc", "desc"]).default("asc").describe("Oldest (`asc`) or newest first"),
  starting_after: entryId.optional().describe("The id of the entry that the page follows"),
  ending_before: entryId.optional().describe("The id of the entry that the page precedes"),
});

/** The trace of an order: what became of each request, message, event and webhook. */
function orderMessageRoutes({ bus }: Pick<DeskDeps, "bus">): DeskRoute[] {
  return [
    viewer.GET("/desk/v1/orders/:id/messages", "Trace an order's messages", {
      description:
        "Oldest first: each request, outbox row, offset on a topic, handler, event, delivery and attempt of the order. Outbox rows are kept for `OUTBOX_RETENTION`, handlers and carriers' messages for `INBOX_RETENTION`; the rest stays.",
      answers: { 200: listOf(traceEntryAnswer) },
      find: ({ db, params }) => requireAnyOrder(db, params.id),
      query: traceQuery,
      handle: async (request) => {
        const { db } = request;
        const order = await requireAnyOrder(db, request.params.id);
        const { cursorId, ...scan } = keyset(request.query);
        const cursor = cursorId === null ? null : readTraceId(cursorId);
        if (cursorId !== null && cursor === null) throw unknownCursor(request.query);
        const { topicPrefix } = bus;
        const rows = await readTrace(db, order, { scan: { ...scan, cursor }, topicPrefix });
        const named = await nameInTrace(db, rows);
        const steps = await Promise.all(named.map((row) => presentTraceStep(bus, order, row)));
        return page(request, steps);
      },
    }),
  ];
}

const PATH = "/desk/v1/orders";

/** The orders of all accounts: read, comment, close. */
export function orderRoutes(desk: DeskDeps): DeskRoute[] {
  return [
    ...orderReadRoutes(desk),
    ...orderMessageRoutes(desk),
    commentRoute(desk),
    closeRoute(desk),
  ];
}

interface OperatorAction {
  readonly command: OrderCommand;
  readonly now: Date;
  readonly action: string;
  readonly note: Readonly<Record<string, unknown>>;
}

/** Runs an operator's command and writes its audit row. */
function run(
  bus: RouteBus,
  request: DeskPath,
  { command, now, action, note }: OperatorAction,
): Promise<Order> {
  const { operatorId: id, name } = request.principal;
  return commandAnyOrder({ ...bus, db: request.db }, request.params.id, {
    command,
    actor: { type: "desk", id, name },
    now,
    also: (tx, before, after) =>
      writeAudit(tx, {
        ...byOperator(request, now),
        action,
        accountId: after.account_id,
        portingOrderId: after.id,
        before: { status: before.status },
        after: { status: after.status, ...note },
      }),
  });
}

function commentRoute({ bus }: DeskDeps): DeskRoute {
  return reviewer.POST(`${PATH}/:id/comments`, "Comment on an order to its customer", {
    description:
      "The customer gets it as `porting_order.new_comment` from the ops team, without the operator's name.",
    answers: { 201: commentAnswer },
    find: ({ db, params }) => requireAnyOrder(db, params.id),
    body: z.strictObject({
      body: writtenText(4_000).meta({
        description: "The comment, which the customer reads",
        examples: ["The carrier asks for the invoice of this month."],
      }),
    }),
    handle: async (request) => {
      const now = bus.clock.now();
      const author = { author_type: "ops", author_id: request.principal.operatorId } as const;
      const comment = { id: newId(now), ...author, body: request.body.body };
      const command = { command: "comment", comment } as const;
      const note = { comment: { id: comment.id, body: comment.body } };
      await run(bus, request, { command, now, action: "order.commented", note });
      const location = `${PATH}/${request.params.id}/comments`;
      return created(presentComment({ ...comment, created_at: now }), location);
    },
  });
}

const closeBody = z.strictObject({
  reason: writtenText(1_000).describe("Why; the customer reads it"),
  internal_reason: optionalOrNull(writtenText(4_000)).describe(
    "Why, for the desk alone: in its timeline and the audit log",
  ),
});

function closeRoute(desk: DeskDeps): DeskRoute {
  return lead.POST(`${PATH}/:id/close`, "Close an order", {
    description:
      "An order that was sent to its carrier becomes cancel_pending until the carrier confirms; one that is cancel_pending already is cancelled at once.",
    answers: { 200: deskOrderAnswer },
    refuses: ["invalid_state", "cancel_too_late"],
    find: ({ db, params }) => requireAnyOrder(db, params.id),
    body: closeBody,
    handle: async (request) => {
      const { reason, ...internal } = request.body;
      const { internal_reason: internalReason } = internal;
      const cancel = { by: "ops", reason, internalReason, cutoffMs: 0 } as const;
      const command = { command: "cancel", ...cancel } as const;
      const note = { reason, ...internal };
      const closing = { command, now: desk.bus.clock.now(), action: "order.closed", note };
      const order = await run(desk.bus, request, closing);
      const [closed] = await showOrders({ ...desk, db: request.db }, [order], presentDeskOrder);
      return ok(closed);
    },
  });
}
