import { z } from "zod";
import { MATCHED } from "../../domain/document/rules/check-result.ts";

/** What is checked about a document, as the case of a review shows it. */
export const documentCheckAnswer = z
  .object({
    check: z.enum(["opens", "age", "scan", "pages"]).meta({
      description:
        "`opens`: the file can be opened and does nothing by itself; `age`: for information, its detail states how old it is; failed where it has become older than it may be when it arrives; `scan`: the virus scanner, where one is configured; `pages`: for information, its detail states how many",
    }),
    state: z
      .enum(["none", "checking", "passed", "failed"])
      .describe("`checking` until its result is known; `none`: it was not asked for"),
    code: z
      .string()
      .nullable()
      .meta({
        description: "Why it has not passed, for programs",
        examples: ["document_encrypted"],
      }),
    detail: z
      .string()
      .nullable()
      .meta({
        description: "Why it has not passed, or what was found, for people",
        examples: ["The PDF asks for a password. Upload a copy that opens without a password."],
      }),
  })
  .meta({ id: "DocumentCheck", description: "One check of a document and its result" });

export type DocumentCheckAnswer = z.infer<typeof documentCheckAnswer>;

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
