import type { Effect } from "../../services/domain/order/rules/effects.ts";
import { EXCEPTION_CATALOGUE } from "../../services/domain/order/rules/exception-catalogue.ts";
import type { Order, OrderStatus } from "../../services/domain/order/rules/order.ts";
import { isMet } from "./model-fields.ts";
import type { OrderModel } from "./order-model.ts";

const CATALOGUE_TEXTS = new Set(EXCEPTION_CATALOGUE.map((one) => one.detail));

function reasonOf(reason: string | null): string | null {
  return reason !== null && CATALOGUE_TEXTS.has(reason) ? "the catalogue's" : reason;
}

/** The part of an order from `decide` that the model predicts. */
export function seen(order: Order) {
  return {
    status: order.status,
    version: order.request_version,
    attempt: order.review_attempt,
    date: order.foc_actual === null ? null : Date.parse(order.foc_actual),
    closedBy: order.closed_by,
    reasonBy: order.closed_reason?.raised_by ?? null,
    numbers: order.numbers.map((one) => [one.phone_number, one.status, one.failure_code]),
    fields: order.requirements.map((one) => [
      one.slug,
      one.status,
      reasonOf(one.exception_reason),
      one.has_value,
      one.check_state,
      one.document_id,
    ]),
    exceptions: order.exceptions.map(({ code, slug }) => [code, slug]),
    providerStatus: order.provider_status,
    attention: order.attention !== null,
    deleted: order.deleted_at !== null,
    requirementsStatus: order.requirements_status,
  };
}

/** The model's prediction, in the same shape. */
export function foreseen(model: OrderModel): ReturnType<typeof seen> {
  return {
    status: model.status as OrderStatus,
    version: model.version,
    attempt: model.attempt,
    date: model.date,
    closedBy: model.closedBy as Order["closed_by"],
    reasonBy: model.reasonBy as NonNullable<Order["closed_reason"]>["raised_by"] | null,
    numbers: Object.entries(model.numbers).map(([phone, one]) => [phone, one.status, one.code]),
    fields: Object.entries(model.fields).map(([slug, one]) => [
      slug,
      one.status as Order["requirements"][number]["status"],
      one.reason,
      one.hasValue,
      one.check,
      one.document,
    ]),
    exceptions: model.exceptions.map(({ code, slug }) => [code, slug]),
    providerStatus: model.providerStatus,
    attention: model.attention,
    deleted: model.deleted,
    requirementsStatus: isMet(model.fields),
  };
}

/** The events among the effects, in the model's notation. */
export function eventsOf(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => {
    if (effect.effect !== "event") return [];
    const { type, payload } = effect;
    if (type === "porting_order.status_changed") {
      return [`${payload.previous_status} > ${payload.new_status}`];
    }
    if (type === "porting_order.requirement_updated") {
      const { slug, status, reason } = payload.requirement;
      return [`${slug} ${status} ${reasonOf(reason) ?? ""}`];
    }
    if (type === "porting_order.new_comment") return [`comment ${payload.comment.author_type}`];
    if (type === "number.activated") return [`activated ${payload.phone_number}`];
    return [type];
  });
}
