import { z } from "zod";
import { idText } from "../../platform/http/routing/answer-fields.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { findCallFault } from "../../domain/carrier/rules/carrier-faults.ts";
import type { CallUpdate } from "../../messages/generated/call-update.ts";
import { outgoing } from "../../messages/bus/outgoing.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { instant, optionalOrNull, textUpTo } from "../../platform/http/body/fields.ts";
import { accepted } from "../../platform/http/routing/reply.ts";
import { newIds } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { byOperator } from "../access/operator.ts";
import { lead, type DeskRoute } from "../access/desk-routes.ts";

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
