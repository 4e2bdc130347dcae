import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { findPortOutFault } from "../../domain/carrier/rules/carrier-faults.ts";
import { MANUAL_CARRIER } from "../../domain/carrier/rules/carrier-directory.ts";
import {
  portOutTargetOf,
  type PortOutTrigger,
} from "../../domain/port-out/rules/port-out-transitions.ts";
import { phoneNumbersOf } from "../../domain/port-out/rules/port-out.ts";
import {
  NOTHING_STATED,
  requesterOf,
  type Requester,
} from "../../domain/port-out/rules/requester.ts";
import {
  findDeskPortOut,
  readRequestedNumbers,
  type DeskPortOut,
} from "../../domain/port-out/store/read-port-out.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import { outgoing, type OutgoingMessage } from "../../messages/bus/outgoing.ts";
import type { PortOutUpdate } from "../../messages/generated/port-out-update.ts";
import { instantText } from "../../platform/calendar/instant-text.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { optionalOrNull, textUpTo } from "../../platform/http/body/fields.ts";
import { accepted } from "../../platform/http/routing/reply.ts";
import { newIds } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import { byOperator, lead, type DeskPath, type DeskRoute } from "../access/desk-routes.ts";

const PATH = "/desk/v1/port_outs";

/** A gaining carrier's request, as an operator enters or plays it. */
export const requestedFields = {
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
  requester: optionalOrNull(
    z.strictObject({
      pon: stated("Its order number (PON)"),
      spid: stated("Its service provider id"),
      account_number: stated("The stated account number"),
      postal_code: stated("The stated postal code"),
      subscriber_name: stated("The stated account holder"),
      service_address: stated("The stated service address"),
      authorized_name: stated("Who is said to have authorized it"),
    } satisfies Record<keyof Requester, z.ZodType>),
  ).meta({
    description: "What it states of its order and its customer, for whoever decides",
    examples: [{ pon: "PON-4711", account_number: "8150210" }],
  }),
};

function stated(description: string) {
  return optionalOrNull(textUpTo(255, z.string().min(1))).describe(description);
}

/** What every update on a port-out has of its request. */
export type AskedPortOut = Pick<
  PortOutUpdate,
  "provider" | "port_out_ref" | "gaining_carrier" | "requested_foc"
> & { readonly phone_numbers: readonly string[] };

/** A carrier's update on the topic that real carriers use. @throws `validation_failed` where it breaks a rule of the topic */
export function portOutMessage(
  bus: RouteBus,
  asked: AskedPortOut,
  given: Pick<PortOutUpdate, "kind"> & Partial<PortOutUpdate>,
): OutgoingMessage {
  const now = bus.clock.now();
  const [updateId = "", messageId = ""] = newIds(now, 2);
  const { provider, port_out_ref, phone_numbers, gaining_carrier, requested_foc } = asked;
  const update = {
    ...{ provider, port_out_ref, gaining_carrier, requested_foc },
    ...NOTHING_STATED,
    update_id: updateId,
    phone_numbers: [...phone_numbers],
    attempted_pin: null,
    foc_at: null,
    occurred_at: now.getTime(),
    ...given,
  };
  const fault = findPortOutFault(update, now);
  if (fault !== null) throw new AppError("validation_failed", fault.detail, { faults: [fault] });
  const address = { key: phone_numbers[0] ?? "", messageId };
  return outgoing(bus, "carriers.port-outs", { ...address, message: update });
}

const refAnswer = z.object({
  port_out_ref: z
    .string()
    .meta({ description: "The gaining carrier's reference", examples: ["PO-4711"] }),
});

/** Requests that reach people, by mail or phone, and what becomes of them. */
export function enteredRoutes(bus: RouteBus): DeskRoute[] {
  return [
    lead.POST(PATH, "Enter a port-out request", {
      description:
        "As a carrier without an integration asks by mail or phone. It is checked like any other; a port-out for each account whose numbers it names follows, and one for those of no account. The same reference again repeats the request.",
      answers: { 202: refAnswer },
      refuses: ["invalid_state"],
      body: z.strictObject({
        provider: optionalOrNull(z.literal(MANUAL_CARRIER)).describe(
          "Whom the desk answers itself; other providers ask by themselves",
        ),
        port_out_ref: textUpTo(255, z.string().min(1)).meta({
          description: "The carrier's reference of the request, unique among those entered",
          examples: ["PO-4711"],
        }),
        ...requestedFields,
      }),
      handle: async (request) => {
        const { requester, attempted_pin = null, port_out_ref, ...asked } = request.body;
        const portOut = { ...asked, port_out_ref, provider: MANUAL_CARRIER };
        const now = bus.clock.now();
        await inTransaction(request.db, async (tx) => {
          const known = await readRequestedNumbers(tx, portOut);
          refuseOtherNumbers(known, portOut.phone_numbers);
          const given = {
            kind: "requested",
            attempted_pin,
            ...requesterOf(requester ?? {}),
          } as const;
          await writeOutbox(tx, [portOutMessage(bus, portOut, given)]);
          const { phone_numbers, gaining_carrier } = portOut;
          await writeAudit(tx, {
            ...byOperator(request, now),
            action: "port_out.entered",
            after: { port_out_ref, phone_numbers, gaining_carrier },
          });
        });
        return accepted({ port_out_ref });
      },
    }),
    endingRoute(bus, "complete"),
    endingRoute(bus, "cancel"),
  ];
}

/** @throws `invalid_state` where the reference is that of a request for others */
function refuseOtherNumbers(known: readonly string[], asked: readonly string[]): void {
  const requested = new Set(known);
  if (known.length === 0 || asked.every((number) => requested.has(number))) return;
  throw new AppError("invalid_state", "That reference is of a request for other numbers.");
}

const ENDINGS = {
  complete: {
    kind: "completed",
    trigger: "carrier_completes",
    summary: "Enter the completion of a port-out",
    description: "Its numbers have left, on the date that was requested.",
  },
  cancel: {
    kind: "cancelled",
    trigger: "carrier_cancels",
    summary: "Enter the cancellation of a port-out",
    description: "The gaining carrier has withdrawn its request for these numbers.",
  },
} as const;

function endingRoute(bus: RouteBus, act: keyof typeof ENDINGS): DeskRoute {
  const { kind, trigger, summary, description } = ENDINGS[act];
  return lead.POST(`${PATH}/:id/${act}`, summary, {
    description: `${description} Only of a request that was entered at the desk.`,
    answers: { 202: refAnswer },
    refuses: ["invalid_state"],
    find: ({ db, params }) => findDeskPortOut(db, params.id),
    handle: async (request: DeskPath) => {
      const portOut = await findDeskPortOut(request.db, request.params.id);
      refuseEnding(portOut, trigger);
      const { id: port_out_id, account_id: accountId, port_out_ref, requested_foc } = portOut;
      const phone_numbers = phoneNumbersOf(portOut);
      const foc_at = kind === "completed" ? requested_foc : null;
      const now = bus.clock.now();
      await inTransaction(request.db, async (tx) => {
        const message = portOutMessage(bus, { ...portOut, phone_numbers }, { kind, foc_at });
        await writeOutbox(tx, [message]);
        await writeAudit(tx, {
          ...byOperator(request, now),
          action: `port_out.${kind}`,
          accountId,
          after: { port_out_id, port_out_ref, phone_numbers },
        });
      });
      return accepted({ port_out_ref });
    },
  });
}

/** @throws `invalid_state` */
function refuseEnding(portOut: DeskPortOut, trigger: PortOutTrigger): void {
  const { provider, status, account_id: accountId } = portOut;
  if (provider !== MANUAL_CARRIER) {
    const detail = `Provider ${provider} reports it by itself.`;
    throw new AppError("invalid_state", detail);
  }
  if (accountId === null || portOutTargetOf({ status }, trigger) === null) {
    throw new AppError("invalid_state", `A port-out in ${status} has no such end.`);
  }
}
