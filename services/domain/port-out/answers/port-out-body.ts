import { z } from "zod";
import { optionalOrNull, textUpTo } from "../../../platform/http/body/fields.ts";
import { PORT_OUT_REJECT_CODES } from "../rules/port-out.ts";

/** The body of a rejection by a customer or the desk. */
export const portOutRejection = z.strictObject({
  code: z.enum(PORT_OUT_REJECT_CODES).meta({ description: "Why the port-out is rejected" }),
  reason: optionalOrNull(textUpTo(1_000, z.string().min(1))).meta({
    description: "The reason in words, for the gaining carrier; up to 1,000 characters",
  }),
});
