import { z } from "zod";
import { idText } from "../../../platform/http/routing/answer-fields.ts";

/** A recovery (docs/contract/customer-api.md, Webhook deliveries); `running` until every event was delivered or failed. */
export const recoveryAnswer = z
  .object({
    id: idText("The recovery's id"),
    status: z
      .enum(["running", "completed", "cancelled"])
      .meta({ description: "`running` until every event was delivered or failed" }),
    total: z.int().meta({ description: "Events found when the recovery was requested" }),
    queued: z.int().meta({
      description: "Events for which a delivery has been made so far, whatever became of it",
    }),
    succeeded: z.int().meta({ description: "Events that were delivered" }),
    failed: z.int().meta({ description: "Events that could not be delivered" }),
  })
  .meta({ id: "WebhookRecovery", description: "Sending events again that an endpoint missed" });

export type Recovery = Readonly<z.output<typeof recoveryAnswer>>;
