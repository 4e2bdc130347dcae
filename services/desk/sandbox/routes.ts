import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { findCallFault, findUnreadableUpdate } from "../../domain/carrier/rules/carrier-faults.ts";
import { requesterOf } from "../../domain/port-out/rules/requester.ts";
import { lockAnyOrder } from "../../domain/order/store/read-order.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import { outgoing } from "../../messages/bus/outgoing.ts";
import type { CallUpdate } from "../../messages/generated/call-update.ts";
import type { PortOutUpdate } from "../../messages/generated/port-out-update.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { instant, optionalOrNull, textUpTo } from "../../platform/http/body/fields.ts";
import { idText } from "../../platform/http/routing/answer-fields.ts";
import { accepted, type Reply } from "../../platform/http/routing/reply.ts";
import { newId, newIds } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import { byOperator, lead, type DeskRoute, type OperatorRequest } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { requireAnyOrder } from "../orders/store/find-orders.ts";
import { portOutMessage, requestedFields } from "../port-outs/enter-port-out.ts";
import { lockSandboxPortOut, storeSandboxPortOut, type SandboxPortOut } from "./store.ts";

const PATH = "/desk/v1/sandbox/port_outs";
const PROVIDER = "sandbox";
const portOutRefAnswer = z.object({
  port_out_ref: idText("The gaining carrier's reference, for its completion or cancellation"),
});

const requestBody = z.strictObject(requestedFields);

/** Plays a gaining carrier that requests numbers, on the topic that real carriers use. */
export function sandboxPortOutRoutes({ bus }: DeskDeps): DeskRoute[] {
  return [
    lead.POST(PATH, "Simulate a port-out request", {
      description:
        "As another carrier would ask, through provider `sandbox`; a port-out for each account whose numbers it names follows.",
      answers: { 202: portOutRefAnswer },
      body: requestBody,
      handle: (request) => {
        const { attempted_pin = null, requester, ...requested } = request.body;
        return publish(bus, request, {
          update: { kind: "requested", attempted_pin, ...requesterOf(requester ?? {}) },
          find: (_, now) => Promise.resolve({ ...requested, port_out_ref: newId(now) }),
        });
      },
    }),
    updateRoute(bus, "complete"),
    updateRoute(bus, "cancel"),
  ];
}

const UPDATES = {
  complete: {
    kind: "completed",
    summary: "Simulate the completion of a port-out",
    description: "All its numbers have left, whatever was decided, on the date that was requested.",
  },
  cancel: {
    kind: "cancelled",
    summary: "Simulate the cancellation of a port-out",
    description: "The gaining carrier withdraws its request for all its numbers.",
  },
} as const;

function updateRoute(bus: RouteBus, act: keyof typeof UPDATES): DeskRoute {
  const { kind, summary, description } = UPDATES[act];
  return lead.POST(`${PATH}/:port_out_ref/${act}`, summary, {
    description,
    answers: { 202: portOutRefAnswer },
    find: ({ db, params }) => lockSandboxPortOut(db, params.port_out_ref),
    handle: (request) =>
      publish(bus, request, {
        update: { kind },
        find: (tx) => lockSandboxPortOut(tx, request.params.port_out_ref),
      }),
  });
}

interface Publication {
  readonly update: Pick<PortOutUpdate, "kind"> & Partial<PortOutUpdate>;
  readonly find: (tx: Queryable, now: Date) => Promise<SandboxPortOut>;
}

/** Publishes the carrier's update on a port-out and writes its audit row. */
async function publish(
  bus: RouteBus,
  request: OperatorRequest,
  { update, find }: Publication,
): Promise<Reply> {
  const now = bus.clock.now();
  const portOutRef = await inTransaction(request.db, async (tx) => {
    const portOut = await find(tx, now);
    const foc_at = update.kind === "completed" ? portOut.requested_foc : null;
    const asked = { ...portOut, provider: PROVIDER };
    await writeOutbox(tx, [portOutMessage(bus, asked, { ...update, foc_at })]);
    if (update.kind === "requested") await storeSandboxPortOut(tx, portOut, now);
    const { port_out_ref, phone_numbers, gaining_carrier } = portOut;
    await writeAudit(tx, {
      ...byOperator(request, now),
      action: `sandbox_port_out.${update.kind}`,
      after: { port_out_ref, phone_numbers, gaining_carrier },
    });
    return port_out_ref;
  });
  return accepted({ port_out_ref: portOutRef });
}

/** Sends a note of the sandbox carrier on one of its orders, on the topic that real carriers use. */
export function sandboxCommentRoutes({ bus }: DeskDeps): DeskRoute[] {
  return [
    lead.POST("/desk/v1/sandbox/orders/:id/comment", "Simulate a carrier's note on an order", {
      description:
        "As an update of kind `comment` from the sandbox carrier; the customer gets it as `porting_order.new_comment`.",
      answers: {
        202: z.object({ update_id: idText("The id of the update, which its receipt names") }),
      },
      refuses: ["invalid_state"],
      find: ({ db, params }) => requireAnyOrder(db, params.id),
      body: z.strictObject({
        body: textUpTo(4_000, z.string().min(1)).meta({
          description: "The carrier's note, which the customer reads",
          examples: ["The invoice is under another name."],
        }),
      }),
      handle: async (request) => {
        const { db, params, body } = request;
        const now = bus.clock.now();
        const updateId = await inTransaction(db, async (tx) => {
          const order = await commentable(tx, params.id);
          const sent = await publishNote(bus, tx, { order, comment: body.body, now });
          await writeAudit(tx, {
            ...byOperator(request, now),
            action: "sandbox_order.comment",
            accountId: order.account_id,
            portingOrderId: order.id,
            after: { body: body.body },
          });
          return sent;
        });
        return accepted({ update_id: updateId });
      },
    }),
  ];
}

async function commentable(tx: Queryable, orderId: string) {
  const order = await lockAnyOrder(tx, orderId);
  if (order.provider !== PROVIDER || order.request_version === 0) {
    throw new AppError("invalid_state", "The order was not sent to the sandbox carrier.");
  }
  return order;
}

interface Note {
  readonly order: Awaited<ReturnType<typeof commentable>>;
  readonly comment: string;
  readonly now: Date;
}

async function publishNote(
  bus: RouteBus,
  tx: Queryable,
  { order, comment, now }: Note,
): Promise<string> {
  const [updateId = "", messageId = ""] = newIds(now, 2);
  const update = {
    update_id: updateId,
    provider: PROVIDER,
    order_id: order.id,
    request_version: order.request_version,
    occurred_at: now.getTime(),
    raw_status: "NOTE",
    kind: "comment" as const,
    foc_at: null,
    rejection: null,
    phone_numbers: null,
    comment,
  };
  const fault = findUnreadableUpdate(update);
  if (fault !== null) {
    throw new AppError("validation_failed", fault.detail, {
      faults: [{ ...fault, pointer: "#/body" }],
    });
  }
  const address = { key: order.id, messageId };
  await writeOutbox(tx, [outgoing(bus, "carriers.updates", { ...address, message: update })]);
  return updateId;
}

const callBody = z.strictObject({
  phone_number: z.string().meta({
    description: "The number that was called, in E.164",
    examples: ["+12125550123"],
  }),
  kind: z
    .enum(["forwarded", "completed", "missed"])
    .describe("The step: it was forwarded, an answered call ended, or nobody answered"),
  from: textUpTo(255, z.string().min(1)).meta({
    description: "The calling party",
    examples: ["+12125550199"],
  }),
  to: textUpTo(255, z.string().min(1)).meta({
    description: "The destination that the call was forwarded to",
    examples: ["+12125550177"],
  }),
  forwarded_by: z
    .enum(["platform", "carrier"])
    .nullish()
    .describe("Who forwarded it; `forwarded` needs it"),
  stage: z
    .enum(["primary", "fallback"])
    .nullish()
    .describe("Which destination was tried; `forwarded` needs it"),
  duration_seconds: z
    .int32()
    .min(0)
    .nullish()
    .describe("How long it lasted, in seconds; `completed` needs it"),
  ended_by: z
    .enum(["caller", "callee", "platform", "carrier"])
    .nullish()
    .describe("Who ended it; `completed` needs it"),
  reason: z
    .enum(["no_answer", "busy", "rejected", "unreachable", "caller_hangup", "failed"])
    .nullish()
    .describe("Why it was not answered; `missed` needs it"),
  occurred_at: optionalOrNull(instant()).describe("When it took place; now unless given"),
});

/** Plays the call platform: publishes a step of a call on the topic that the real one uses. */
export function sandboxCallRoutes({ bus }: DeskDeps): DeskRoute[] {
  return [
    lead.POST("/desk/v1/sandbox/calls", "Simulate a step of a call", {
      description:
        "One step of a new call, as the call platform would publish it with provider `sandbox`; its event follows.",
      answers: { 202: z.object({ call_id: idText("The id of the call, in its event's payload") }) },
      body: callBody,
      handle: async (request) => {
        const now = bus.clock.now();
        const [callId = "", messageId = ""] = newIds(now, 2);
        const update = callOf(callId, request.body, now);
        const fault = findCallFault(update, now);
        if (fault !== null) {
          throw new AppError("validation_failed", fault.detail, { faults: [fault] });
        }
        await inTransaction(request.db, async (tx) => {
          const address = { key: update.phone_number, messageId };
          await writeOutbox(tx, [outgoing(bus, "carriers.calls", { ...address, message: update })]);
          await writeAudit(tx, {
            ...byOperator(request, now),
            action: `sandbox_call.${update.kind}`,
            after: { call_id: callId, phone_number: update.phone_number },
          });
        });
        return accepted({ call_id: callId });
      },
    }),
  ];
}

function callOf(callId: string, body: z.output<typeof callBody>, now: Date): CallUpdate {
  return {
    call_id: callId,
    provider: "sandbox",
    phone_number: body.phone_number,
    kind: body.kind,
    from: body.from,
    to: body.to,
    forwarded_by: body.forwarded_by ?? null,
    stage: body.stage ?? null,
    duration_seconds: body.duration_seconds ?? null,
    ended_by: body.ended_by ?? null,
    reason: body.reason ?? null,
    occurred_at: (body.occurred_at ?? now).getTime(),
  };
}
