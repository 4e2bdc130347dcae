import { z } from "zod";
import { idText } from "../../platform/http/routing/answer-fields.ts";

/** The account that an object belongs to, as lists of all accounts show it. */
export const accountReference = z
  .object({
    id: idText("The account's id"),
    name: z.string().meta({ description: "The account's name", examples: ["Acme"] }),
  })
  .meta({ id: "AccountReference", description: "The account that an object belongs to" });
