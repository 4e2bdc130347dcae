import { z } from "zod";
import { maskValues } from "../../domain/account/rules/audit-entry.ts";
import type { AuditedValues } from "../../domain/account/store/audit-log.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { TRACE_STEPS } from "../../domain/order/rules/trace-steps.ts";
import { definitionOf } from "../../domain/requirement/rules/catalogue.ts";
import { maskValue } from "../../domain/requirement/rules/requirement.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { TopicName } from "../../messages/topics.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { keyset, page, pageQuery, unknownCursor } from "../../platform/http/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { viewer, type DeskRoute } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { actorsIn, claimersIn, withActor, withClaimers } from "../operators/name-operators.ts";
import { findPersons } from "../operators/store.ts";
import { traceEntryAnswer } from "./answers.ts";
import { requireAnyOrder } from "./store/find-orders.ts";
import { readTrace, type TraceCursor, type TraceRow } from "./store/trace.ts";

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
type TraceReader = Pick<Bus, "codec" | "seal" | "topicPrefix">;

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
export function orderMessageRoutes({ bus }: Pick<DeskDeps, "bus">): DeskRoute[] {
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

/** The rank of what the audit log has, each with the name that its operator had then. */
const AUDITED = 0;

/** Steps of a trace with persons where the tables have operators by their ids alone; one query for all. */
export async function nameInTrace(db: Queryable, rows: readonly TraceRow[]): Promise<TraceRow[]> {
  const acted = rows.filter(({ rank }) => rank !== AUDITED);
  const personOf = await findPersons(db, [...actorsIn(acted), ...claimersIn(rows.map(changeOf))]);
  return rows.map((row) =>
    row.rank === AUDITED
      ? { ...row, value: withClaimers(changeOf(row), personOf) }
      : withActor(row, personOf),
  );
}

function changeOf({ rank, value }: TraceRow) {
  const { before, after } = rank === AUDITED && value !== null ? value : {};
  return { before: valuesIn(before), after: valuesIn(after) };
}

function valuesIn(value: unknown): AuditedValues | null {
  return typeof value === "object" && value !== null ? { ...value } : null;
}
