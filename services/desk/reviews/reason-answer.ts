import { z } from "zod";

/** A reason with which the desk rejects a requirement (docs/contract/desk-api.md, GET /rejection_reasons). */
export const rejectionReasonAnswer = z
  .object({
    code: z.string().meta({
      description: "Stable; for `code` in a decision",
      examples: ["loa_invalid"],
    }),
    slugs: z.array(z.string().meta({ examples: ["loa"] })).meta({
      description:
        "The requirements that may be rejected with it, most likely first; empty if it concerns the whole order, so that no requirement is rejected with it",
      examples: [["loa"]],
    }),
    title: z.string().meta({
      description: "What it means, in short",
      examples: ["LOA not accepted"],
    }),
    text: z.string().meta({
      description: "A sentence for the customer, ready to be sent as the reason or edited first",
      examples: ["The letter of authorization is illegible. Sign a new one."],
    }),
  })
  .meta({ id: "RejectionReason", description: "Why the desk rejects a requirement" });
