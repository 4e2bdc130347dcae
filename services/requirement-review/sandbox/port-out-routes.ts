import { z } from "zod";
import { idText } from "../../platform/http/routing/answer-fields.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { findPortOutFault } from "../../domain/carrier/rules/find-port-out-fault.ts";
import {
  keepSandboxPortOut,
  lockSandboxPortOut,
  type SandboxPortOut,
} from "./store/sandbox-port-outs.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { PortOutUpdate } from "../../messages/generated/port-out-update.ts";
import { outgoing, type OutgoingMessage } from "../../messages/bus/outgoing.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { accepted, type Reply } from "../../platform/http/routing/reply.ts";
import { newId, newIds } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { byOperator, type OperatorRequest } from "../access/operator.ts";
import { POST, type DeskRoute } from "../access/desk-routes.ts";

const PATH = "/desk/v1/sandbox/port_outs";
const PROVIDER = "sandbox";
const portOutRefAnswer = z.object({ port_out_ref: idText() });

const requestBody = z.strictObject({
  phone_numbers: z.array(z.string()).min(1).max(1_000),
  gaining_carrier: z.string().min(1).max(255),
  requested_foc: z.iso.datetime({ offset: true }),
  attempted_pin: z.string().max(255).optional(),
});

/** Plays another carrier that asks for numbers, on the topic that real ones use. */
export function sandboxPortOutRoutes({ bus }: DeskDeps): DeskRoute[] {
  return [
    POST(PATH, "Play a carrier that asks for numbers", {
      answers: { 202: portOutRefAnswer },
      body: requestBody,
      handle: (request) => {
        const { attempted_pin = null, ...asked } = request.body;
        return say(bus, request, {
          said: { kind: "requested", attempted_pin },
          find: (_, now) => Promise.resolve({ ...asked, port_out_ref: newId(now) }),
        });
      },
    }),
    updateRoute(bus, "complete", "Play that the numbers left"),
    updateRoute(bus, "cancel", "Play that the carrier cancels"),
  ];
}

const KINDS = { complete: "completed", cancel: "cancelled" } as const;

function updateRoute(bus: Bus, act: keyof typeof KINDS, summary: string): DeskRoute {
  return POST(`${PATH}/:port_out_ref/${act}`, summary, {
    answers: { 202: portOutRefAnswer },
    handle: (request) =>
      say(bus, request, {
        said: { kind: KINDS[act], attempted_pin: null },
        find: (tx) => lockSandboxPortOut(tx, request.params.port_out_ref),
      }),
  });
}

interface Saying {
  readonly said: Pick<PortOutUpdate, "kind" | "attempted_pin">;
  readonly find: (tx: Queryable, now: Date) => Promise<SandboxPortOut>;
}

/** Publishes what the carrier says of a port-out, with its audit row. */
async function say(bus: Bus, request: OperatorRequest, { said, find }: Saying): Promise<Reply> {
  const now = bus.clock.now();
  const portOutRef = await inTransaction(bus.pool, async (tx) => {
    const asked = await find(tx, now);
    await writeOutbox(tx, [updateMessage(bus, asked, said)]);
    if (said.kind === "requested") await keepSandboxPortOut(tx, asked, now);
    const { port_out_ref, phone_numbers, gaining_carrier } = asked;
    await writeAudit(tx, {
      ...byOperator(request, now),
      action: `sandbox_port_out.${said.kind}`,
      after: { port_out_ref, phone_numbers, gaining_carrier },
    });
    return port_out_ref;
  });
  bus.hint.notify();
  return accepted({ port_out_ref: portOutRef });
}

/** @throws `validation_failed` where no carrier could say so */
function updateMessage(bus: Bus, asked: SandboxPortOut, said: Saying["said"]): OutgoingMessage {
  const now = bus.clock.now();
  const [updateId = "", messageId = ""] = newIds(now, 2);
  const update: PortOutUpdate = {
    ...said,
    update_id: updateId,
    provider: PROVIDER,
    port_out_ref: asked.port_out_ref,
    phone_numbers: [...asked.phone_numbers],
    gaining_carrier: asked.gaining_carrier,
    requested_foc: asked.requested_foc,
    foc_at: said.kind === "completed" ? asked.requested_foc : null,
    occurred_at: now.getTime(),
  };
  const fault = findPortOutFault(update);
  if (fault !== null) {
    throw new AppError("validation_failed", fault.detail, { faults: [fault] });
  }
  const address = { key: update.phone_numbers[0] ?? "", messageId };
  return outgoing(bus, "carriers.port-outs", { ...address, message: update });
}
