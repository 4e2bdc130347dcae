import { z } from "zod";
import { platformNumberAnswer } from "../../domain/number/answers/number-answer.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import type { ApiDeps } from "../api-deps.ts";
import {
  byCustomer,
  GET,
  PATCH,
  type AccountPrincipal,
  type CustomerRoute,
} from "../access/customer-routes.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { NUMBER_STATUSES, type PlatformNumber } from "../../domain/number/rules/platform-number.ts";
import { patchNumber, type NumberChange } from "../../domain/number/store/change-number.ts";
import { findNumber, listNumbers, type NumberFilter } from "../../domain/number/store/numbers.ts";
import {
  countryCodeParameter,
  phoneNumberField,
  phoneNumberParameter,
} from "../../domain/number/answers/number-fields.ts";
import type { CreatedWithin } from "../../platform/db/id-range.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { uuid } from "../../platform/http/body/fields.ts";
import { page, pageQuery, scanFrom, type FilterParameters } from "../../platform/http/paging.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { loopFaults, numberSettings, refusePinInPortal } from "./settings.ts";

const numberParameter = phoneNumberField.meta({
  description: "The number in E.164",
  examples: ["+12125550123"],
});

const numberFilters = {
  status: z.array(z.enum(NUMBER_STATUSES)).optional().describe("Numbers in these statuses"),
  country_code: countryCodeParameter("Numbers of this country").optional(),
  porting_order_id: uuid().optional().describe("Numbers that this order ported in"),
} satisfies FilterParameters<Omit<NumberFilter, keyof CreatedWithin>>;

interface NumberPath {
  readonly db: Queryable;
  readonly principal: AccountPrincipal;
  readonly params: { readonly phone_number: string };
}

function ownNumber({ db, principal, params }: NumberPath): Promise<PlatformNumber> {
  return findNumber(db, principal.accountId, params.phone_number);
}

/** The account's numbers on the platform; a number's id is the phone number itself. */
export function numberRoutes(deps: ApiDeps): CustomerRoute[] {
  return [
    patchRoute(deps),
    GET("/v2/numbers", "List the numbers on the platform", {
      description: "The account's numbers, those that were ported out included.",
      answers: { 200: listOf(platformNumberAnswer) },
      query: z.strictObject({
        ...pageQuery,
        starting_after: phoneNumberParameter("The number that the page follows").optional(),
        ending_before: phoneNumberParameter("The number that the page precedes").optional(),
        ...numberFilters,
      }),
      handle: async (request) => {
        const { db, query } = request;
        const { accountId } = request.principal;
        const scan = await scanFrom(query, (id) => findNumber(db, accountId, id));
        const rows = await listNumbers(db, { accountId, scan, filter: query });
        return page(request, rows, (number) => encodeURIComponent(number.phone_number));
      },
    }),
    GET("/v2/numbers/:phone_number", "Read a number", {
      description: "A number by its E.164 form; in the path, `+` is `%2B`.",
      answers: { 200: platformNumberAnswer },
      params: { phone_number: numberParameter },
      find: ownNumber,
      handle: async (request) => ok(await ownNumber(request)),
    }),
  ];
}

function patchRoute({ bus, box, providers }: ApiDeps): CustomerRoute {
  return PATCH(
    "/v2/numbers/:phone_number",
    "Set a number's forwarding, lock, PIN, tags or references",
    {
      description:
        "Forwarding goes to the carrier that hosts the number; where that does not forward calls, the platform does. A locked number's port-outs are rejected; with a PIN set, they have to state it.",
      answers: { 200: platformNumberAnswer },
      refuses: ["invalid_state", "forbidden"],
      params: { phone_number: numberParameter },
      find: ownNumber,
      body: numberSettings,
      handle: async (request) => {
        const { db, body } = request;
        const { accountId } = request.principal;
        const { phone_number: phoneNumber } = request.params;
        refusePinInPortal(request.principal, body.port_out_pin !== undefined);
        const faults = loopFaults(phoneNumber, body);
        if (faults.length > 0) {
          throw new AppError("validation_failed", "The number cannot be changed this way.", {
            faults,
          });
        }
        const now = bus.clock.now();
        const also = auditProtection(byCustomer(request, now), body.port_out_pin !== undefined);
        const change = { patch: body, now, also };
        const context = { ...bus, db, box, providers };
        return ok(await patchNumber(context, { accountId, phoneNumber }, change));
      },
    },
  );
}

/** Records a changed lock, and a PIN that was set or removed, though never the PIN. */
function auditProtection(
  customer: ReturnType<typeof byCustomer>,
  isPinGiven: boolean,
): NonNullable<NumberChange["also"]> {
  return async (tx, before, after) => {
    if (before.port_out_lock === after.port_out_lock && !isPinGiven) return;
    await writeAudit(tx, {
      ...customer,
      action: "number.port_out_protected",
      before: protectionOf(before),
      after: { ...protectionOf(after), port_out_pin_given: isPinGiven },
    });
  };
}

function protectionOf({ phone_number, port_out_lock, port_out_pin_set }: PlatformNumber) {
  return { phone_number, port_out_lock, port_out_pin_set };
}
