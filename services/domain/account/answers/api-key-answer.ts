import { z } from "zod";
import { optionalOrNull, textUpTo } from "../../../platform/http/body/fields.ts";
import { idText, timeText } from "../../../platform/http/routing/answer-fields.ts";
import { EXAMPLE_API_KEY } from "../rules/api-key.ts";

/** An account's key without the key itself (docs/contract/customer-api.md, API keys). */
export const apiKeyAnswer = z
  .object({
    id: idText("The key's id"),
    name: z.string().nullable().meta({ description: "What the key was named when it was issued" }),
    prefix: z.string().meta({
      description: "The key's first 14 characters",
      examples: [EXAMPLE_API_KEY.slice(0, 14)],
    }),
    created_at: timeText("When it was issued"),
    last_used_at: timeText("When it was last used, accurate to within a minute").nullable(),
    revoked_at: timeText("When it was revoked").nullable(),
  })
  .meta({ id: "ApiKey", description: "An API key, without the key itself" });

export const newApiKeyAnswer = apiKeyAnswer
  .extend({
    key: z
      .string()
      .meta({ description: "The key itself, shown once", examples: [EXAMPLE_API_KEY] }),
  })
  .meta({ id: "ApiKeyWithSecret", description: "An API key that was just issued" });

/** The body of a request for a new key. */
export const newApiKeyBody = z.strictObject({
  name: optionalOrNull(textUpTo(64, z.string().min(1))).meta({
    description: "To distinguish keys, 1 to 64 characters",
    examples: ["production"],
  }),
});
