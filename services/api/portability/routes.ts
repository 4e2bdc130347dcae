import { z } from "zod";
import { portabilityCheckAnswer } from "../../domain/number/answers/number-answer.ts";
import { checkPortability } from "./check-portability.ts";
import { findHeldNumbers } from "./store/held-numbers.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import type { ApiDeps } from "../api-deps.ts";
import { POST, type CustomerRoute } from "../access/customer-routes.ts";

const MAX_NUMBERS = 1_000;

/** `/v2/portability_checks`: whether numbers could be ordered now. A check reserves and stores nothing. */
export function portabilityCheckRoutes({ bus, directory }: ApiDeps): CustomerRoute[] {
  return [
    POST("/v2/portability_checks", "Check whether numbers can be ordered now", {
      answers: { 200: z.object({ data: z.array(portabilityCheckAnswer) }) },
      body: z.strictObject({ phone_numbers: z.array(z.string()).min(1).max(MAX_NUMBERS) }),
      handle: async ({ principal, body: { phone_numbers: numbers } }) => {
        const held = await findHeldNumbers(bus.pool, principal.accountId, numbers);
        const facts = { held, directory, now: bus.clock.now() };
        return ok({ data: checkPortability(numbers, facts) });
      },
    }),
  ];
}
