import { confirmedFoc, type TermsOf } from "../domain/terms/rules/port-date.ts";
import { termsOfRequest } from "../domain/terms/rules/terms-of-order.ts";
import type { CarrierRequest } from "../messages/generated/carrier-request.ts";
import type { CarrierUpdate } from "../messages/generated/carrier-update.ts";
import type { PortOutUpdate } from "../messages/generated/port-out-update.ts";
import {
  PLATFORM_PROVIDER,
  platformPortOutRef,
  readPlatformPortOutRef,
  type OrderVersion,
} from "../messages/platform-provider.ts";
import type { Sparse } from "../messages/codec.ts";
import { derivedId } from "../platform/ids.ts";

/** What follows from one request; the port-out's messages go out first. */
export interface Reaction {
  readonly portOuts: readonly PortOutUpdate[];
  readonly updates: readonly Sparse<CarrierUpdate>[];
}

export interface ReactionContext {
  /** The platform's name, as the holder of the numbers sees it. */
  readonly gainingCarrier: string;
  /** When the request was published, in epoch milliseconds. */
  readonly requestedAt: number;
  readonly termsOf: TermsOf;
}

const NOTHING: Reaction = { portOuts: [], updates: [] };

/**
 * Plays the losing carrier of numbers that another account holds: an order becomes a port-out of that account, whose
 * decision becomes the carrier's answer. It follows from the request alone, so a repeated one repeats the same ids.
 */
export function reactionTo(request: CarrierRequest, context: ReactionContext): Reaction {
  switch (request.kind) {
    case "submit":
    case "supplement":
      return requestPortOut(request, context);
    case "port_out_decision":
      return passOnDecision(request, context);
    case "activate":
      return completePortOut(request, context);
    case "cancel":
      return cancelPortOut(request, context);
    case "apply_forwarding":
    case "unrecognized":
      return NOTHING;
  }
}

const NOTHING_STATED = {
  pon: null,
  spid: null,
  account_number: null,
  postal_code: null,
  subscriber_name: null,
  service_address: null,
  authorized_name: null,
} as const;

/** As much as an update may state (carrier-faults.ts). */
const LONGEST_STATED = 255;

function requestPortOut(request: CarrierRequest, context: ReactionContext): Reaction {
  const valueOf = (slug: string): string | null =>
    request.requirements?.find((one) => one.slug === slug)?.value ?? null;
  const stated = (slug: string): string | null => valueOf(slug)?.slice(0, LONGEST_STATED) ?? null;
  const portOut = portOutUpdate(request, context, {
    kind: "requested",
    attempted_pin: valueOf("pin_passcode"),
    account_number: stated("account_number"),
    postal_code: stated("postal_code"),
    subscriber_name: stated("entity_name"),
    service_address: stated("service_address"),
    authorized_name: stated("auth_person_name"),
  });
  if (portOut === null) return NOTHING;
  const update = orderUpdate(request, context, { kind: "acknowledged", raw_status: "REQUESTED" });
  return { portOuts: [...withdrawEarlier(request, context), portOut], updates: [update] };
}

/**
 * A port-out of the version before may be open: where its numbers had several answers, the order was rejected by one, and
 * another account has agreed by now. A number that is in an open port-out cannot be asked for again.
 */
function withdrawEarlier(request: CarrierRequest, context: ReactionContext): PortOutUpdate[] {
  const { order_id, request_version: version } = request;
  if (request.kind !== "supplement" || order_id === null || version === null) return [];
  const port_out_ref = platformPortOutRef({ order_id, request_version: version - 1 });
  const withdrawn = portOutUpdate(request, context, { kind: "cancelled", port_out_ref });
  return withdrawn === null ? [] : [withdrawn];
}

/** The answer to a port-out that this service requested; its reference names the order. */
function passOnDecision(request: CarrierRequest, context: ReactionContext): Reaction {
  const { port_out: decision } = request;
  const order = decision === null ? null : readPlatformPortOutRef(decision.port_out_ref);
  if (decision === null || order === null) return NOTHING;
  const answered = { ...request, ...order };
  if (decision.approved) {
    const foc_at = request.foc_actual ?? request.foc_requested;
    const approved = { kind: "date_confirmed", raw_status: "APPROVED", foc_at } as const;
    return { portOuts: [], updates: [orderUpdate(answered, context, approved)] };
  }
  const raw_text = decision.reason ?? "";
  const rejection = { raw_code: decision.code ?? "other", raw_text, slug: null };
  const rejected = { kind: "rejected", raw_status: "REJECTED", rejection } as const;
  return { portOuts: [], updates: [orderUpdate(answered, context, rejected)] };
}

function completePortOut(request: CarrierRequest, context: ReactionContext): Reaction {
  const foc_at = request.foc_actual;
  const portOut = portOutUpdate(request, context, { kind: "completed", foc_at });
  if (portOut === null) return NOTHING;
  const activating = orderUpdate(request, context, { kind: "activating", raw_status: "MOVING" });
  const active = orderUpdate(request, context, {
    kind: "number_active",
    raw_status: "MOVED",
    phone_numbers: request.phone_numbers,
  });
  return { portOuts: [portOut], updates: [activating, active] };
}

function cancelPortOut(request: CarrierRequest, context: ReactionContext): Reaction {
  const portOut = portOutUpdate(request, context, { kind: "cancelled" });
  if (portOut === null) return NOTHING;
  const confirmed = { kind: "cancel_confirmed", raw_status: "CANCELLED" } as const;
  return { portOuts: [portOut], updates: [orderUpdate(request, context, confirmed)] };
}

type PortOutStep = Pick<PortOutUpdate, "kind"> & Partial<PortOutUpdate>;

/** Null for a request without the order, version and numbers that every request about an order has. */
function portOutUpdate(
  request: CarrierRequest,
  { gainingCarrier, ...context }: ReactionContext,
  step: PortOutStep,
): PortOutUpdate | null {
  const { request_id, order_id, request_version, phone_numbers } = request;
  const [phoneNumber] = phone_numbers ?? [];
  if (order_id === null || request_version === null || phoneNumber === undefined) return null;
  return {
    update_id: derivedId(`${request_id}/port-out/${step.kind}`),
    provider: PLATFORM_PROVIDER,
    port_out_ref: platformPortOutRef({ order_id, request_version }),
    phone_numbers: phone_numbers ?? [],
    gaining_carrier: gainingCarrier,
    requested_foc: requestedFoc(request, context),
    attempted_pin: null,
    ...NOTHING_STATED,
    foc_at: null,
    occurred_at: context.requestedAt,
    ...step,
  };
}

/** The customer's date; the earliest one where there is none, or where it has passed before the order was sent. */
function requestedFoc(
  request: CarrierRequest,
  { requestedAt, termsOf }: Omit<ReactionContext, "gainingCarrier">,
): string {
  const { foc_requested: wanted } = request;
  if (wanted !== null && Date.parse(wanted) > requestedAt) return wanted;
  const asked = { wanted: null, requestedAt: new Date(requestedAt) };
  return confirmedFoc(termsOfRequest(termsOf, request), asked);
}

type OrderStep = Pick<CarrierUpdate, "kind" | "raw_status"> & Partial<CarrierUpdate>;

function orderUpdate(
  { request_id, order_id, request_version }: Pick<CarrierRequest, "request_id"> & Partial<Nullable>,
  { requestedAt }: ReactionContext,
  step: OrderStep,
): Sparse<CarrierUpdate> {
  return {
    update_id: derivedId(`${request_id}/${step.kind ?? ""}`),
    provider: PLATFORM_PROVIDER,
    order_id: order_id ?? "",
    request_version: request_version ?? 0,
    occurred_at: requestedAt,
    ...step,
  };
}

type Nullable = { readonly [K in keyof OrderVersion]: OrderVersion[K] | null };
