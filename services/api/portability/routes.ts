import { z } from "zod";
import { NUMBER_TYPES } from "../../domain/countries/number-type.ts";
import { portabilityCheckAnswer } from "../../domain/number/answers/number-answer.ts";
import { checkPortability } from "./check-portability.ts";
import { findHeldNumbers } from "./store/held-numbers.ts";
import { findTypeFaults } from "../orders/number-faults.ts";
import { AppError } from "../../platform/errors.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import type { ApiDeps } from "../api-deps.ts";
import { POST, type CustomerRoute } from "../access/customer-routes.ts";

const MAX_NUMBERS = 1_000;

/** `/v2/portability_checks`: whether numbers could be ordered now. A check reserves and stores nothing. */
export function portabilityCheckRoutes({ bus, directory }: ApiDeps): CustomerRoute[] {
  return [
    POST("/v2/portability_checks", "Check whether numbers can be ordered now", {
      answers: { 200: z.object({ data: z.array(portabilityCheckAnswer) }) },
      body: z
        .strictObject({
          phone_numbers: z.array(z.string()).min(1).max(MAX_NUMBERS),
          number_type: z.enum(NUMBER_TYPES).optional(),
        })
        .meta({ examples: [{ phone_numbers: ["+12125550143", "+442079460143"] }] }),
      handle: async ({ principal, body: { phone_numbers: numbers, ...options } }) => {
        const faults = findTypeFaults(numbers, options);
        if (faults.length > 0) {
          const detail = "Some numbers are of another type than number_type says.";
          throw new AppError("validation_failed", detail, { faults });
        }
        const held = await findHeldNumbers(bus.pool, principal.accountId, numbers);
        const facts = { held, directory, options, now: bus.clock.now() };
        return ok({ data: checkPortability(numbers, facts) });
      },
    }),
  ];
}
