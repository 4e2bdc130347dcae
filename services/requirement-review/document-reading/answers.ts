import { z } from "zod";

/** The values of an order that are looked for in the text of its documents. */
export const MATCHED = [
  "phone_number",
  "entity_name",
  "service_address",
  "account_number",
  "signer",
] as const;

export type Matched = (typeof MATCHED)[number];

/** Whether a document's text holds one value of the order: a hint for the reviewer, never a refusal. */
export const matchAnswer = z
  .object({
    what: z.enum(MATCHED).meta({ description: "`signer` is the requirement `auth_person_name`" }),
    value: z.string().meta({
      description: "The order's value, as the case shows it to this operator",
      examples: ["+12125550123"],
    }),
    found: z.boolean().nullable().meta({
      description:
        "null where the document has no text that can be read, such as a scanned page, or is not read yet",
    }),
    page: z
      .int()
      .nullable()
      .meta({ description: "The first page that holds the value, from 1", examples: [1] }),
  })
  .meta({
    id: "DocumentMatch",
    description: "Whether a document's text holds one value of the order; a hint, never a refusal",
  });

export type MatchAnswer = z.infer<typeof matchAnswer>;
