import { z } from "zod";
import { uuid } from "../../platform/http/body/fields.ts";

export const SHORTEST_S = 60;
export const LONGEST_S = 30 * 86_400;

/** POST /v2/portal_sessions */
export const newPortalSessionBody = z.strictObject({
  // Null is refused: a program's mistake must not make a link to everything.
  order_id: uuid()
    .optional()
    .describe("Limits the link to this order, for the customer's own end user"),
  expires_in: z
    .int()
    .min(SHORTEST_S)
    .max(LONGEST_S)
    .default(3_600)
    .meta({
      description: `Seconds until the link expires: ${SHORTEST_S} to ${LONGEST_S}, 3600 unless given`,
      examples: [86_400],
    }),
});

/** POST /portal/session */
export const openSessionBody = z
  .strictObject({
    link: z
      .string()
      .max(64)
      .meta({
        description: "What stands behind `#` in the link",
        examples: [`nps_link_${"0".repeat(38)}`],
      }),
  })
  .meta({ examples: [{ link: `nps_link_${"0".repeat(38)}` }] });
