import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { rotateAccountSecret } from "../../domain/webhook/store/account-secrets.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { byCustomer } from "../access/by-customer.ts";
import { POST, type CustomerRoute } from "../access/customer-routes.ts";
import type { ApiDeps } from "../api-deps.ts";
import { rotatedAccountSecretAnswer } from "./endpoints/answers.ts";
import { rotateSecretBody } from "./endpoints/body.ts";

const PATH = "/v2/webhook_signing_secret/rotate";

/** The secret that signs deliveries to orders' own `webhook_url`, handed out with the account's first key. */
export function accountSecretRoutes({
  bus: { clock },
  box,
}: Pick<ApiDeps, "bus" | "box">): CustomerRoute[] {
  const rotate = POST(PATH, "Rotate the account's signing secret for orders' own webhook_url", {
    description:
      "The secret that signs webhooks to a `webhook_url` that is not an endpoint's. The response is the only place where the new one is shown.",
    answers: { 200: rotatedAccountSecretAnswer },
    noStore: true,
    body: rotateSecretBody,
    handle: async (request) => {
      const { accountId } = request.principal;
      const now = clock.now();
      const { secret, previousExpiresAt } = await inTransaction(request.db, async (tx) => {
        const { overlap_seconds: overlap } = request.body;
        const rotated = await rotateAccountSecret(tx, { accountId, box, now }, overlap);
        await writeAudit(tx, {
          ...byCustomer(request, now),
          action: "account.signing_secret_rotated",
          after: { previous_secret_expires_at: rotated.previousExpiresAt },
        });
        return rotated;
      });
      return ok({ signing_secret: secret, previous_secret_expires_at: previousExpiresAt });
    },
  });
  return [rotate];
}
