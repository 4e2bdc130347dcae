import { z } from "zod";
import { idText } from "../../../platform/http/routing/answer-fields.ts";

/** A recovery (docs/contract/customer-api.md, Webhook deliveries); `running` until every event was delivered or failed. */
export const recoveryAnswer = z
  .object({
    id: idText(),
    status: z.enum(["running", "completed", "cancelled"]),
    total: z.int().meta({ description: "Events found when the recovery was requested" }),
    queued: z.int(),
    succeeded: z.int(),
    failed: z.int(),
  })
  .meta({ id: "WebhookRecovery" });

export type Recovery = Readonly<z.output<typeof recoveryAnswer>>;
