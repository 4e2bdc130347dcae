import { z } from "zod";
import { deliveryAnswer } from "../../../domain/webhook/answers/delivery-answer.ts";
import { rotatedEndpointSecretAnswer } from "./answers.ts";
import { findDelivery } from "../../../domain/webhook/store/deliveries.ts";
import { rotateEndpointSecret } from "./store/rotate-endpoint-secret.ts";
import { testEndpoint } from "./store/test-endpoint.ts";
import type { ApiDeps } from "../../api-deps.ts";
import { writeAudit } from "../../../domain/account/store/audit-log.ts";
import { byCustomer } from "../../access/by-customer.ts";
import { isEventType, SENT_EVENT_TYPES } from "../../../messages/events.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { optionalOrNull } from "../../../platform/http/body/fields.ts";
import { accepted, ok } from "../../../platform/http/routing/reply.ts";
import { NO_SUCH_TYPE, rotateSecretBody } from "./body.ts";
import { ownEndpoint } from "./own-endpoint.ts";
import { POST, type CustomerRoute } from "../../access/customer-routes.ts";

type ActionDeps = Pick<ApiDeps, "bus" | "box">;

const PATH = "/v2/webhook_endpoints/:id";

const testBody = z.strictObject({
  event_type: optionalOrNull(
    z.enum(SENT_EVENT_TYPES, {
      error: ({ input }) =>
        typeof input === "string" && isEventType(input)
          ? "Events of this type are never sent as webhooks."
          : NO_SUCH_TYPE,
    }),
  ).describe("The type of the sample event; the first enabled one unless given"),
});

/** Actions on a webhook endpoint other than changing it. */
export function webhookEndpointActionRoutes(deps: ActionDeps): CustomerRoute[] {
  return [rotateRoute(deps), testRoute(deps)];
}

function rotateRoute({ bus: { clock }, box }: ActionDeps) {
  return POST(`${PATH}/rotate_secret`, "Rotate an endpoint's signing secret", {
    description:
      "During the overlap webhooks are signed with both secrets; another rotation ends it, because at most two are valid. The response is the only place where the new one is shown.",
    answers: { 200: rotatedEndpointSecretAnswer },
    noStore: true,
    find: ownEndpoint,
    body: rotateSecretBody,
    handle: async (request) => {
      const { id } = request.params;
      const { accountId } = request.principal;
      const now = clock.now();
      const rotation = { box, overlapSeconds: request.body.overlap_seconds, now };
      const { secret, previousExpiresAt } = await inTransaction(request.db, async (tx) => {
        const rotated = await rotateEndpointSecret(tx, { accountId, id }, rotation);
        await writeAudit(tx, {
          ...byCustomer(request, now),
          action: "webhook_endpoint.secret_rotated",
          after: {
            webhook_endpoint_id: id,
            previous_secret_expires_at: rotated.previousExpiresAt,
          },
        });
        return rotated;
      });
      return ok({ id, signing_secret: secret, previous_secret_expires_at: previousExpiresAt });
    },
  });
}

function testRoute({ bus }: ActionDeps) {
  return POST(`${PATH}/test`, "Send a sample event to an endpoint", {
    description:
      "Its objects do not exist, and it is not in the feed. The response is the delivery, which will show the result.",
    answers: { 202: deliveryAnswer },
    refuses: ["endpoint_paused"],
    find: ownEndpoint,
    body: testBody,
    handle: async ({ db, principal: { accountId }, params: { id }, body }) => {
      const context = { messages: bus, accountId, now: bus.clock.now() };
      const delivery = await inTransaction(db, async (tx) => {
        const request = { endpointId: id, type: body.event_type };
        return findDelivery(tx, accountId, await testEndpoint(tx, context, request));
      });
      return accepted(delivery);
    },
  });
}
