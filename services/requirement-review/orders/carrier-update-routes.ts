import { z } from "zod";
import { idText } from "../../platform/http/routing/answer-fields.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { findCarrierRuleFault } from "../../domain/carrier/rules/find-update-fault.ts";
import { kindOf, namedCode } from "../../domain/carrier/rules/read-update.ts";
import type { CarrierRuleFault } from "../../domain/carrier/rules/carrier-rule-fault.ts";
import type { Providers } from "../../domain/carrier/rules/provider.ts";
import type { CarrierUpdate } from "../../messages/generated/carrier-update.ts";
import { STATUS_UPDATE_KINDS } from "../../domain/order/rules/status-update.ts";
import { lockAnyOrder } from "../../domain/order/store/read-order.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { outgoing } from "../../messages/bus/outgoing.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { accepted } from "../../platform/http/routing/reply.ts";
import { newIds } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import { byOperator } from "../access/operator.ts";
import { reviewer, type DeskPath, type DeskRoute } from "../access/desk-routes.ts";

const instant = z.iso.datetime({ offset: true });

const updateBody = z.strictObject({
  kind: z.enum(STATUS_UPDATE_KINDS).optional(),
  raw_status: z.string().min(1).max(200),
  occurred_at: instant.optional(),
  request_version: z.int().min(1).optional(),
  foc_at: instant.optional(),
  rejection: z
    .strictObject({ raw_code: z.string().max(100), raw_text: z.string().max(2_000).default("") })
    .optional(),
  phone_numbers: z.array(z.string()).min(1).max(1_000).optional(),
  comment: z.string().min(1).max(4_000).optional(),
});

/** A status update that came by mail or phone, published by an operator on the carrier's topic. */
export function carrierUpdateRoutes(desk: DeskDeps): DeskRoute[] {
  return [
    reviewer.POST(
      "/desk/v1/orders/:id/carrier_updates",
      "Record a status update that came by mail or phone",
      {
        answers: { 202: z.object({ update_id: idText() }) },
        refuses: ["invalid_state"],
        body: updateBody,
        handle: async (request) => {
          const updateId = await publish(desk, request, request.body);
          desk.bus.hint.notify();
          return accepted({ update_id: updateId });
        },
      },
    ),
  ];
}

async function publish(
  { bus, providers }: DeskDeps,
  request: DeskPath,
  body: z.output<typeof updateBody>,
): Promise<string> {
  const now = bus.clock.now();
  const [updateId = "", messageId = ""] = newIds(now, 2);
  await inTransaction(bus.pool, async (tx) => {
    const order = await lockAnyOrder(tx, request.params.id);
    if (order.request_version === 0) {
      throw new AppError("invalid_state", "The order was never sent to a carrier.");
    }
    const update = {
      update_id: updateId,
      provider: order.provider,
      order_id: order.id,
      request_version: body.request_version ?? order.request_version,
      occurred_at: body.occurred_at === undefined ? now.getTime() : Date.parse(body.occurred_at),
      raw_status: body.raw_status,
      kind: body.kind ?? null,
      foc_at: body.foc_at ?? null,
      rejection: body.rejection ?? null,
      phone_numbers: body.phone_numbers ?? null,
      comment: body.comment ?? null,
      operator_id: request.principal.operatorId,
    };
    const read = { ...update, kind: kindOf(providers, update) };
    const fault = findUnknownCode(providers, update) ?? findCarrierRuleFault(read, order, now);
    if (fault !== null) {
      throw new AppError("validation_failed", fault.detail, { faults: [fault] });
    }
    const address = { key: order.id, messageId };
    await writeOutbox(tx, [outgoing(bus, "carriers.updates", { ...address, message: update })]);
    await writeAudit(tx, {
      ...byOperator(request, now),
      action: "order.carrier_update",
      accountId: order.account_id,
      portingOrderId: order.id,
      before: { provider_status: order.provider_status },
      after: { ...body, update_id: updateId },
    });
  });
  return updateId;
}

/** A carrier's program may know codes that we do not; an operator who enters one has mistyped it. */
function findUnknownCode(
  providers: Providers,
  { provider, rejection }: Pick<CarrierUpdate, "provider" | "rejection">,
): CarrierRuleFault | null {
  if (rejection === null) return null;
  if (namedCode(providers, provider, rejection.raw_code) !== undefined) return null;
  return {
    pointer: "#/rejection/raw_code",
    code: "unknown_code",
    detail: `Neither ${provider} nor GET /v2/porting_exceptions has this code; "other" is for a reason without one.`,
  };
}
