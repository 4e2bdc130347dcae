import { z } from "zod";
import { NUMBER_TYPES } from "../../domain/countries/number-type.ts";
import { portabilityCheckAnswer } from "../../domain/number/answers/number-answer.ts";
import { checkPortability } from "./check-portability.ts";
import { findUnavailableNumbers } from "./store/unavailable-numbers.ts";
import { findTypeFaults } from "../orders/number-faults.ts";
import { AppError } from "../../platform/errors.ts";
import { optionalOrNull } from "../../platform/http/body/fields.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import type { ApiDeps } from "../api-deps.ts";
import { namesMany } from "../access/heavy-requests.ts";
import { turnsOf } from "../access/principal.ts";
import { POST, type CustomerRoute } from "../access/customer-routes.ts";

const MAX_NUMBERS = 1_000;

const portabilityChecks = z
  .object({
    data: z
      .array(portabilityCheckAnswer)
      .meta({ description: "Every number of the request, once" }),
  })
  .meta({
    id: "PortabilityChecks",
    description: "Whether the numbers of a request can be ordered",
  });

/** `/v2/portability_checks`: whether numbers could be ordered now. A check reserves and stores nothing. */
export function portabilityCheckRoutes({ bus, directory, heavy }: ApiDeps): CustomerRoute[] {
  return [
    POST("/v2/portability_checks", "Check whether numbers can be ordered now", {
      operationId: "checkPortability",
      description:
        "Answers for every number of the request once. Nothing is reserved or stored by it.",
      answers: { 200: portabilityChecks },
      body: z
        .strictObject({
          phone_numbers: z
            .array(z.string())
            .min(1)
            .max(MAX_NUMBERS)
            .meta({
              description: "The numbers to check: 1 to 1,000 in E.164",
              examples: [["+12125550123"]],
            }),
          number_type: optionalOrNull(z.enum(NUMBER_TYPES)).meta({
            description:
              "The type of numbers whose plan does not determine it, as in the US and Canada; `local` unless given",
          }),
        })
        .meta({ examples: [{ phone_numbers: ["+12125550143", "+442079460143"] }] }),
      inSlot: ({ principal, body }, run) =>
        namesMany(body) ? heavy.run(turnsOf(principal), run) : run(),
      handle: async ({ db, principal, body: { phone_numbers: numbers, ...options } }) => {
        const faults = await findTypeFaults(numbers, options, directory);
        if (faults.length > 0) {
          const detail = "Some numbers are of another type than number_type says.";
          throw new AppError("validation_failed", detail, { faults });
        }
        const unavailable = await findUnavailableNumbers(db, principal.accountId, numbers);
        const facts = { unavailable, directory, options, now: bus.clock.now() };
        return ok({ data: await checkPortability(numbers, facts) });
      },
    }),
  ];
}
