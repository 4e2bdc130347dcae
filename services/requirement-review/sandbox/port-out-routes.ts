import { z } from "zod";
import { idText } from "../../platform/http/routing/answer-fields.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { findPortOutFault } from "../../domain/carrier/rules/find-port-out-fault.ts";
import type { SandboxPortOut } from "./store/sandbox-port-outs.ts";
import { keepSandboxPortOut, lockSandboxPortOut } from "./store/sandbox-port-outs.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { PortOutUpdate } from "../../messages/generated/port-out-update.ts";
import type { OutgoingMessage } from "../../messages/bus/outgoing.ts";
import { outgoing } from "../../messages/bus/outgoing.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { accepted } from "../../platform/http/routing/reply.ts";
import { newId, newIds } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { byOperator } from "../access/operator.ts";
import type { OperatorPrincipal } from "../access/operator.ts";
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
      handle: async ({ principal, body, requestId }) => {
        const now = bus.clock.now();
        const asked = { ...body, port_out_ref: newId(now) };
        const said = { kind: "requested", attempted_pin: body.attempted_pin ?? null } as const;
        await inTransaction(bus.pool, async (tx) => {
          await writeOutbox(tx, [wordMessage(bus, asked, said)]);
          await keepSandboxPortOut(tx, asked, now);
          await audit(tx, { principal, requestId, now, action: "requested" }, asked);
        });
        bus.hint.poke();
        return accepted({ port_out_ref: asked.port_out_ref });
      },
    }),
    wordRoute(bus, { path: "complete", summary: "Play that the numbers left", kind: "completed" }),
    wordRoute(bus, { path: "cancel", summary: "Play that the carrier cancels", kind: "cancelled" }),
  ];
}

interface WordRoute {
  readonly path: string;
  readonly summary: string;
  readonly kind: "completed" | "cancelled";
}

function wordRoute(bus: Bus, { path, summary, kind }: WordRoute): DeskRoute {
  return POST(`${PATH}/:port_out_ref/${path}`, summary, {
    answers: { 202: portOutRefAnswer },
    handle: async ({ principal, params: { port_out_ref }, requestId }) => {
      const now = bus.clock.now();
      await inTransaction(bus.pool, async (tx) => {
        const asked = await lockSandboxPortOut(tx, port_out_ref);
        await writeOutbox(tx, [wordMessage(bus, asked, { kind, attempted_pin: null })]);
        await audit(tx, { principal, requestId, now, action: kind }, asked);
      });
      bus.hint.poke();
      return accepted({ port_out_ref });
    },
  });
}

/** @throws `validation_failed` where no carrier could say so */
function wordMessage(
  bus: Bus,
  asked: SandboxPortOut,
  said: Pick<PortOutUpdate, "kind" | "attempted_pin">,
): OutgoingMessage {
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

interface Deed {
  readonly principal: OperatorPrincipal;
  readonly requestId: string;
  readonly now: Date;
  readonly action: string;
}

function audit(tx: Queryable, deed: Deed, asked: SandboxPortOut): Promise<void> {
  const { port_out_ref, phone_numbers, gaining_carrier } = asked;
  return writeAudit(tx, {
    ...byOperator(deed.principal, deed.now, deed.requestId),
    action: `sandbox_port_out.${deed.action}`,
    after: { port_out_ref, phone_numbers, gaining_carrier },
  });
}
