import { takesRequest, type Providers } from "../../domain/carrier/rules/provider.ts";
import { CARRIER_LINK_MS } from "../../domain/document/rules/document-link.ts";
import { listOrderDocuments } from "../../domain/document/store/documents.ts";
import { carrierRequestId } from "../../domain/order/rules/order-messages.ts";
import { changeOfVersion } from "../../domain/order/rules/order-changes.ts";
import type { Order, OrderChange } from "../../domain/order/rules/order.ts";
import { isEnded } from "../../domain/order/rules/status-facts.ts";
import { lockNamedOrders, type LockedOrders } from "../../domain/order/store/locked-orders.ts";
import { noteUnsentRequest } from "../store/note-unsent-request.ts";
import { readPortOutAnswer } from "../../domain/port-out/store/receive-port-out.ts";
import { readRequirementValues } from "../../domain/requirement/store/requirement-values.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { TogetherHandler } from "../../messages/bus/once-together.ts";
import { following, outgoing } from "../../messages/bus/outgoing.ts";
import type { CarrierTask } from "../../messages/generated/carrier-task.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { isUuid, newId } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { recordRequest, readHostedNumber } from "../store/carrier-requests.ts";

export interface RequestParts {
  /** Decrypts sensitive values. */
  readonly box: SecretBox;
  /** A link to a document that works without an API key until then. */
  readonly linkTo: (documentId: string, until: Date) => string;
  readonly providers: Providers;
}

/**
 * Turns a task into the request for the order's carrier integration, with the present values. A request that its
 * provider does not take is not sent, and noted.
 */
export function onCarrierTask(
  bus: Bus,
  parts: RequestParts,
): TogetherHandler<CarrierTask, LockedOrders> {
  const omitUnwanted = omitterOf(bus, parts.providers);
  const requested = bus.metrics.counter({
    name: "carrier_requests_total",
    help: "Requests about orders that were written to carriers",
    labels: ["provider", "kind"],
  });
  const handle: TogetherHandler<CarrierTask, LockedOrders>["handle"] = async (
    { tx, locked, onCommit },
    { message: task, raw },
  ) => {
    if (await omitUnwanted(tx, task)) return;
    const traced = following(bus, raw);
    if (task.kind === "port_out_decision") return answerPortOut(traced, tx, task);
    if (task.kind === "apply_forwarding") return applyForwarding(traced, tx, task);
    const order = locked.find(task.order_id);
    if (order === null) throw new AppError("unknown_order", "The task names no known order.");
    if (isOvertaken(task, order)) return;
    const now = bus.clock.now();
    const requestedAt = await recordRequest(tx, {
      request_id: task.request_id,
      order_id: order.id,
      request_version: task.request_version,
      provider: task.provider,
      kind: task.kind,
      sent_at: now,
    });
    const about = requestOf(task, order, requestedAt);
    const numbers = about.phone_numbers;
    const fields = await whollyAsked(tx, { parts, task, order, numbers, now });
    const request = { ...about, ...fields };
    const address = { key: order.id, messageId: newId(now) };
    const message = outgoing(traced, "carriers.requests", { ...address, message: request });
    await writeOutbox(tx, [
      { ...message, headers: { ...message.headers, provider: task.provider } },
    ]);
    onCommit(() => requested.inc({ provider: task.provider, kind: task.kind }));
  };
  return {
    lock: (tx, tasks) =>
      lockNamedOrders(
        tx,
        tasks.map((task) => task.order_id),
      ),
    handle,
  };
}

/** What every request says of its order. */
export function requestOf(task: CarrierTask, order: Order, requestedAt: Date) {
  // A cancellation or an activation of that version is about the order as it is.
  const change = task.kind === "supplement" ? changeOfVersion(order, task.request_version) : null;
  const removed = new Set(change?.remove_phone_numbers);
  const numbers = order.numbers.map((number) => number.phone_number);
  return {
    request_id: task.request_id,
    provider: task.provider,
    requested_at: requestedAt.getTime(),
    kind: task.kind,
    losing_carrier: order.losing_carrier,
    country_code: order.country_code,
    number_type: order.number_type,
    order_id: order.id,
    request_version: task.request_version,
    phone_numbers: numbers.filter((number) => !removed.has(number)),
    foc_requested: change?.foc_requested ?? order.foc_requested,
    foc_actual: order.foc_actual,
    change: change === null ? null : changeOf(change),
  };
}

function changeOf({ id, foc_requested, remove_phone_numbers: removed }: OrderChange) {
  return { change_id: id, foc_requested, remove_phone_numbers: [...removed] };
}

interface AskedOrder {
  readonly parts: RequestParts;
  readonly task: CarrierTask;
  readonly order: Order;
  /** Those that the request is about. */
  readonly numbers: readonly string[];
  readonly now: Date;
}

/** The values and documents, where the carrier is asked to act on the whole order. */
async function whollyAsked(tx: Queryable, asked: AskedOrder) {
  const { parts, task, order, numbers, now } = asked;
  if (task.kind !== "submit" && task.kind !== "supplement") return {};
  const until = new Date(now.getTime() + CARRIER_LINK_MS);
  const linkTo = (documentId: string): string => parts.linkTo(documentId, until);
  return fieldsOf(tx, order, { box: parts.box, linkTo, numbers });
}

interface FieldParts {
  readonly box: SecretBox;
  readonly linkTo: (documentId: string) => string;
  readonly numbers: readonly string[];
}

/** The customer's values and documents, decrypted: only a carrier that acts on them gets them. */
async function fieldsOf(tx: Queryable, order: Order, { box, linkTo, numbers }: FieldParts) {
  const values = await readRequirementValues(tx, box, order.id);
  const requirements = values.filter(
    ({ value, document_id, phone_number: number }) =>
      (value ?? document_id) !== null && (number === null || numbers.includes(number)),
  );
  const given = new Set(requirements.map((one) => one.document_id));
  const stored = await listOrderDocuments(tx, order.id);
  const documents = stored
    .filter(({ id }) => given.has(id))
    .map(({ id, slug, content_type, sha256 }) => ({
      slug,
      document_id: id,
      content_type,
      sha256,
      url: linkTo(id),
    }));
  return { requirements, documents };
}

/** Sends the decision to the carrier that requested the port-out; nothing where it has withdrawn the request since. */
async function answerPortOut(bus: Bus, tx: Queryable, task: CarrierTask): Promise<void> {
  const { port_out_id: id, phone_number: key } = task;
  if (id === null || key === null) {
    throw new AppError("rule_broken", "A port-out decision needs port_out_id and phone_number.");
  }
  if (!isUuid(id)) throw new AppError("unknown_port_out", `There is no port-out ${id}.`);
  const answer = await readPortOutAnswer(tx, id);
  if (answer === null) return;
  const now = bus.clock.now();
  const requestedAt = await recordRequest(tx, {
    request_id: task.request_id,
    order_id: null,
    request_version: null,
    provider: answer.provider,
    kind: task.kind,
    sent_at: now,
  });
  const { provider, phone_numbers, port_out_ref, approved, code, reason } = answer;
  const request = {
    request_id: task.request_id,
    provider,
    requested_at: requestedAt.getTime(),
    kind: task.kind,
    phone_numbers,
    foc_requested: answer.requested_foc,
    foc_actual: answer.foc_actual,
    port_out: { port_out_ref, approved, code, reason },
  };
  const message = outgoing(bus, "carriers.requests", {
    key,
    messageId: newId(now),
    message: request,
  });
  await writeOutbox(tx, [{ ...message, headers: { ...message.headers, provider } }]);
}

/** Asks the carrier that hosts a number to apply its present forwarding. */
async function applyForwarding(bus: Bus, tx: Queryable, task: CarrierTask): Promise<void> {
  const { phone_number: phoneNumber, provider } = task;
  if (phoneNumber === null) throw new AppError("rule_broken", "Forwarding needs phone_number.");
  const number = await readHostedNumber(tx, phoneNumber);
  // A number that has moved to another carrier has a task of its own there.
  if (number?.provider !== provider) return;
  const now = bus.clock.now();
  const requestedAt = await recordRequest(tx, {
    request_id: task.request_id,
    order_id: null,
    request_version: null,
    provider,
    kind: task.kind,
    sent_at: now,
  });
  const request = {
    request_id: task.request_id,
    provider,
    requested_at: requestedAt.getTime(),
    kind: task.kind,
    phone_numbers: [phoneNumber],
    forwarding: {
      primary: number.forwarding?.primary ?? null,
      fallback: number.forwarding?.fallback ?? null,
    },
  };
  const address = { key: phoneNumber, messageId: newId(now) };
  const message = outgoing(bus, "carriers.requests", { ...address, message: request });
  await writeOutbox(tx, [{ ...message, headers: { ...message.headers, provider } }]);
}

/**
 * Whether a request is left out because it is not among its provider's capabilities. What happens instead stands in
 * docs/carriers.md (Capabilities): the carrier acts by itself, or an operator asks it by mail or phone.
 */
function omitterOf(
  bus: Bus,
  providers: Providers,
): (tx: Queryable, task: CarrierTask) => Promise<boolean> {
  const omitted = bus.metrics.counter({
    name: "carrier_requests_omitted_total",
    help: "Requests that were not sent because they are not among their provider's capabilities",
    labels: ["provider", "kind"],
  });
  return async (tx, { provider, kind, order_id: orderId, request_version: requestVersion }) => {
    if (takesRequest(providers, provider, kind)) return false;
    if (orderId !== null) {
      const now = bus.clock.now();
      await noteUnsentRequest(tx, { orderId, provider, kind, requestVersion, now });
    }
    omitted.inc({ provider, kind });
    return true;
  };
}

/**
 * Whether nothing must be sent any more: the order has ended, as it may have when a task comes late or is replayed from
 * the dead letters, or the date was moved or withdrawn and the new one has an activation of its own. A cancellation is
 * always sent: the carrier may have the order still.
 */
export function isOvertaken(
  { kind, request_id }: Pick<CarrierTask, "kind" | "request_id">,
  order: Order,
): boolean {
  if (kind === "cancel") return false;
  if (isEnded(order)) return true;
  return kind === "activate" && request_id !== carrierRequestId(order, "activate");
}
