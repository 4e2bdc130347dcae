import { z } from "zod";
import { idText, timeText } from "../../../platform/http/routing/answer-fields.ts";
import { EXAMPLE_API_KEY } from "../rules/api-key.ts";

/** An account's key without the key itself (docs/contract/customer-api.md, API keys). */
export const apiKeyAnswer = z
  .object({
    id: idText(),
    name: z.string().nullable(),
    prefix: z.string().meta({
      description: "The key's first 14 characters",
      examples: [EXAMPLE_API_KEY.slice(0, 14)],
    }),
    created_at: timeText(),
    last_used_at: timeText("Accurate to within a minute").nullable(),
    revoked_at: timeText().nullable(),
  })
  .meta({ id: "ApiKey" });

export const newApiKeyAnswer = apiKeyAnswer
  .extend({
    key: z
      .string()
      .meta({ description: "The key itself, shown once", examples: [EXAMPLE_API_KEY] }),
  })
  .meta({ id: "NewApiKey" });

/** The body of a request for a new key. */
export const newApiKeyBody = z.strictObject({ name: z.string().min(1).max(64).optional() });
