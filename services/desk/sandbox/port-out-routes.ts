import { z } from "zod";
import { idText } from "../../platform/http/routing/answer-fields.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { findPortOutFault } from "../../domain/carrier/rules/carrier-faults.ts";
import {
  storeSandboxPortOut,
  lockSandboxPortOut,
  type SandboxPortOut,
} from "./store/sandbox-port-outs.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import type { PortOutUpdate } from "../../messages/generated/port-out-update.ts";
import { outgoing, type OutgoingMessage } from "../../messages/bus/outgoing.ts";
import { instantText } from "../../platform/calendar/instant-text.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { optionalOrNull, textUpTo } from "../../platform/http/body/fields.ts";
import { accepted, type Reply } from "../../platform/http/routing/reply.ts";
import { newId, newIds } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { byOperator, type OperatorRequest } from "../access/operator.ts";
import { lead, type DeskRoute } from "../access/desk-routes.ts";

const PATH = "/desk/v1/sandbox/port_outs";
const PROVIDER = "sandbox";
const portOutRefAnswer = z.object({
  port_out_ref: idText("The gaining carrier's reference, for its completion or cancellation"),
});

const requestBody = z.strictObject({
  phone_numbers: z
    .array(z.string())
    .min(1)
    .max(1_000)
    .meta({
      description: "The numbers that it asks for, in E.164, of any account",
      examples: [["+12125550123"]],
    }),
  gaining_carrier: textUpTo(255, z.string().min(1)).meta({
    description: "The carrier that they move to",
    examples: ["Other Telecom"],
  }),
  requested_foc: instantText.describe("The port date that it asks for; it keeps its offset"),
  attempted_pin: optionalOrNull(z.string().max(255)).meta({
    description: "The PIN that its customer gave; a number that has a PIN needs it",
    examples: ["4711"],
  }),
});

/** Plays a gaining carrier that requests numbers, on the topic that real carriers use. */
export function sandboxPortOutRoutes({ bus }: DeskDeps): DeskRoute[] {
  return [
    lead.POST(PATH, "Simulate a port-out request", {
      description:
        "As another carrier would ask, through provider `sandbox`; a port-out for each account whose numbers it names follows.",
      answers: { 202: portOutRefAnswer },
      body: requestBody,
      handle: (request) => {
        const { attempted_pin = null, ...requested } = request.body;
        return publish(bus, request, {
          update: { kind: "requested", attempted_pin },
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
        update: { kind, attempted_pin: null },
        find: (tx) => lockSandboxPortOut(tx, request.params.port_out_ref),
      }),
  });
}

interface Publication {
  readonly update: Pick<PortOutUpdate, "kind" | "attempted_pin">;
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
    await writeOutbox(tx, [updateMessage(bus, portOut, update)]);
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

/** @throws `validation_failed` where the update breaks a rule of the topic */
function updateMessage(
  bus: RouteBus,
  portOut: SandboxPortOut,
  given: Publication["update"],
): OutgoingMessage {
  const now = bus.clock.now();
  const [updateId = "", messageId = ""] = newIds(now, 2);
  const update: PortOutUpdate = {
    ...given,
    update_id: updateId,
    provider: PROVIDER,
    port_out_ref: portOut.port_out_ref,
    phone_numbers: [...portOut.phone_numbers],
    gaining_carrier: portOut.gaining_carrier,
    requested_foc: portOut.requested_foc,
    foc_at: given.kind === "completed" ? portOut.requested_foc : null,
    occurred_at: now.getTime(),
  };
  const fault = findPortOutFault(update, now);
  if (fault !== null) {
    throw new AppError("validation_failed", fault.detail, { faults: [fault] });
  }
  const address = { key: update.phone_numbers[0] ?? "", messageId };
  return outgoing(bus, "carriers.port-outs", { ...address, message: update });
}
