import { sourceHeaders, sourceOf } from "../../domain/carrier/receipts.ts";
import {
  findMisfit,
  findUnreadableUpdate,
  unknownProvider,
  type CarrierRuleFault,
} from "../../domain/carrier/rules/carrier-faults.ts";
import type { Providers } from "../../domain/carrier/rules/provider.ts";
import { readUpdate, type OrderResult } from "../../domain/carrier/rules/read-update.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { lockNamedOrders, type LockedOrders } from "../../domain/order/store/locked-orders.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { TogetherHandler } from "../../messages/bus/once-together.ts";
import { following, outgoing, type OutgoingMessage } from "../../messages/bus/outgoing.ts";
import type { CarrierUpdate } from "../../messages/generated/carrier-update.ts";
import { AppError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { confirmRepeat } from "../receipts/carrier-receipts.ts";
import { claimUpdate, hashContent } from "../store/update-claims.ts";

/** Checks that the status update comes from the order's provider, translates it and sends it on once to order-lifecycle. */
export function onCarrierUpdate(
  bus: Bus,
  providers: Providers,
): TogetherHandler<CarrierUpdate, LockedOrders> {
  const received = bus.metrics.counter({
    name: "carrier_updates_total",
    help: "Status updates of carriers that were passed on, each counted once, by what they mean here",
    labels: ["provider", "kind"],
  });
  const unknown = unknownStatuses(bus.metrics, providers);
  const handle: TogetherHandler<CarrierUpdate, LockedOrders>["handle"] = async (
    { tx, locked, onCommit },
    { message, raw },
  ) => {
    // A repeat with the order's id in the other form must have the same content.
    const update = { ...message, order_id: orderIdOf(message) };
    refuseFault(findUnreadableUpdate(update));
    const order = orderOfUpdate(locked, update, providers);
    const now = bus.clock.now();
    const result = readUpdate(providers, update);
    const { kind } = result;
    const misfit = findMisfit({ ...update, kind }, order, now);
    const sending = { result, key: order.id, now };
    const claim = await claimUpdate(tx, {
      provider: update.provider,
      updateId: update.update_id,
      orderId: order.id,
      contentHash: hashContent(update),
      at: now,
      partition: raw.partition,
      offset: raw.offset,
      messages: misfit === null ? [resultMessage(bus, raw, sending)] : [],
    });
    if (claim !== "first") {
      const { provider, update_id, order_id } = update;
      const repeat = { claim, raw, subject: { provider, update_id, order_id } };
      return confirmRepeat({ ...following(bus, raw), tx }, repeat);
    }
    refuseFault(misfit);
    onCommit(() => {
      received.inc({ provider: update.provider, kind: kind ?? "unknown" });
      if (kind === null) unknown(update.provider);
    });
  };
  return { lock: (tx, updates) => lockNamedOrders(tx, updates.map(orderIdOf)), handle };
}

/** Some clients write UUIDs in capitals. */
function orderIdOf({ order_id: orderId }: CarrierUpdate): string {
  return orderId.toLowerCase();
}

interface Sending {
  readonly result: OrderResult;
  readonly key: string;
  readonly now: Date;
}

function resultMessage(bus: Bus, raw: RawMessage, { result, key, now }: Sending): OutgoingMessage {
  const address = { key, messageId: newId(now) };
  const topic = "porting.carrier-results";
  const sent = outgoing(following(bus, raw), topic, { ...address, message: result });
  return { ...sent, headers: { ...sent.headers, ...sourceHeaders(sourceOf(raw)) } };
}

function refuseFault(fault: CarrierRuleFault | null): void {
  if (fault !== null) throw new AppError("rule_broken", `${fault.pointer}: ${fault.detail}`);
}

/** What a status update says of the order and the request that it answers. */
type SentUpdate = Pick<CarrierUpdate, "order_id" | "provider" | "request_version">;

/**
 * The order that the update is about, if its provider was sent that version. This is checked against the order, not the
 * recorded requests: a carrier may answer by phone before the request is recorded here.
 * @throws `unknown_order`, `provider_mismatch`
 */
export function orderOfUpdate(
  locked: LockedOrders,
  { order_id: orderId, provider, request_version: version }: SentUpdate,
  providers: Pick<Providers, "has">,
): Order {
  const order = locked.find(orderId);
  if (order === null) throw new AppError("unknown_order", "The update names no known order.");
  if (provider !== order.provider) {
    if (!providers.has(provider)) throw unknownProvider(provider);
    throw new AppError("provider_mismatch", `The order is not one of provider ${provider}.`);
  }
  if (version < 1 || version > order.request_version) {
    const sent = `the versions that were sent are 1 to ${order.request_version}`;
    throw new AppError("provider_mismatch", `Version ${version} was not sent; ${sent}.`);
  }
  return order;
}

/** Counts the statuses of a provider that its file does not list. */
export function unknownStatuses(
  metrics: Metrics,
  providers: Pick<Providers, "keys">,
): (provider: string) => void {
  const unknown = metrics.counter({
    name: "carrier_statuses_unknown_total",
    help: "Carrier statuses that their provider's file does not list",
    labels: ["provider"],
  });
  // From 0 on, so that the first one counts as an increase; files are added while the service runs.
  metrics.beforePage(() => {
    for (const provider of providers.keys()) unknown.inc({ provider }, 0);
  });
  return (provider) => unknown.inc({ provider });
}
