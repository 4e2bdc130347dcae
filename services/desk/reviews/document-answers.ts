import { z } from "zod";

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
