import { z } from "zod";
import { lockAccount } from "../../domain/account/store/api-keys.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { forwardingAnswer } from "../../domain/number/answers/number-answer.ts";
import type { NumberConfiguration } from "../../domain/number/rules/number-settings.ts";
import {
  findDefaults,
  writeDefaults,
  type NumberDefaults,
} from "../../domain/number/store/number-defaults.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { timeText } from "../../platform/http/routing/answer-fields.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import {
  byCustomer,
  GET,
  PATCH,
  type AccountPrincipal,
  type CustomerRoute,
} from "../access/customer-routes.ts";
import type { ApiDeps } from "../api-deps.ts";
import { numberSettings } from "./settings.ts";

const PATH = "/v2/number_defaults";

const defaultsBody = numberSettings
  .pick({ forwarding: true, port_out_lock: true })
  .meta({ examples: [{ port_out_lock: true }] });

const defaultsAnswer = z
  .object({
    forwarding: forwardingAnswer
      .unwrap()
      .omit({ handled_by: true })
      .nullable()
      .meta({ description: "Where calls go; null for nowhere" }),
    port_out_lock: z
      .boolean()
      .meta({ description: "Whether every port-out is rejected", examples: [false] }),
    updated_at: timeText("When they were last changed; null until they are set").nullable(),
  })
  .meta({ id: "NumberDefaults", description: "How the numbers of the next orders are set" });

/** `/v2/number_defaults`: forwarding and lock of the numbers of the account's next orders. */
export function numberDefaultsRoutes({ bus: { clock } }: Pick<ApiDeps, "bus">): CustomerRoute[] {
  return [
    GET(PATH, "Read how the numbers of the next orders are set", {
      operationId: "getNumberDefaults",
      description: "Neither forwarded nor locked until it is set.",
      answers: { 200: defaultsAnswer },
      handle: async ({ db, principal }) => ok(await findDefaults(db, principal.accountId)),
    }),
    PATCH(PATH, "Set forwarding and lock of the numbers of the next orders", {
      operationId: "updateNumberDefaults",
      description:
        "An order has them in the `number_configuration` that it is created with or set to from now on, unless that says otherwise. Orders and numbers that there are keep what they have.",
      answers: { 200: defaultsAnswer },
      body: defaultsBody,
      handle: async (request) => {
        const { db, principal, body } = request;
        const { accountId } = principal;
        const at = clock.now();
        const after = await inTransaction(db, async (tx) => {
          await lockAccount(tx, accountId);
          const before = await findDefaults(tx, accountId);
          const written = await writeDefaults(tx, accountId, { ...body, at });
          const entry = { ...byCustomer(request, at), action: "number_defaults.changed" };
          await writeAudit(tx, { ...entry, before: audited(before), after: audited(written) });
          return written;
        });
        return ok(after);
      },
    }),
  ];
}

/** Where calls go, by its last digits. */
function audited({ forwarding, port_out_lock }: NumberDefaults) {
  const forwarded_to = forwarding === null ? null : `…${forwarding.primary.slice(-2)}`;
  return { port_out_lock, forwarded_to };
}

/** A request's configuration with what the account has set for all orders; a number is not forwarded to itself by that. */
export async function withDefaults<Given extends NumberConfiguration | undefined>(
  db: Queryable,
  { accountId, hasNumberDefaults }: AccountPrincipal,
  given: Given,
  phoneNumbers: readonly string[],
): Promise<Given | NumberConfiguration> {
  if (hasNumberDefaults === false) return given;
  const { forwarding, port_out_lock } = await findDefaults(db, accountId);
  if (forwarding === null && !port_out_lock) return given;
  const targets = [forwarding?.primary, forwarding?.fallback];
  const unforwarded = phoneNumbers
    .filter((number) => targets.includes(number) && given?.default?.forwarding === undefined)
    .map((number) => [number, { forwarding: null, ...given?.numbers?.[number] }] as const);
  return {
    default: {
      ...(forwarding !== null && { forwarding }),
      ...(port_out_lock && { port_out_lock }),
      ...given?.default,
    },
    numbers: { ...given?.numbers, ...Object.fromEntries(unforwarded) },
  };
}
