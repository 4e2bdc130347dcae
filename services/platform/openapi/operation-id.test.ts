import { describe, expect, it } from "@jest/globals";
import { operationIdOf } from "./operation-id.ts";

describe("an operation's id", () => {
  it.each([
    ["GET", "/v2/porting_orders", "listPortingOrders"],
    ["POST", "/v2/porting_orders", "createPortingOrder"],
    ["GET", "/v2/porting_orders/:id", "getPortingOrder"],
    ["PATCH", "/v2/porting_orders/:id", "updatePortingOrder"],
    ["DELETE", "/v2/porting_orders/:id", "deletePortingOrder"],
    ["POST", "/v2/porting_orders/:id/submit", "submitPortingOrder"],
    ["GET", "/v2/porting_orders/:id/readiness", "getPortingOrderReadiness"],
    ["POST", "/v2/porting_orders/:id/comments", "createPortingOrderComment"],
    ["PATCH", "/v2/porting_orders/:id/requirements/:slug", "updatePortingOrderRequirement"],
    ["POST", "/v2/webhook_endpoints/:id/rotate_secret", "rotateWebhookEndpointSecret"],
    ["GET", "/v2/porting/events/:event_id/deliveries", "listPortingEventDeliveries"],
    ["DELETE", "/v2/webhook_recoveries/:id", "deleteWebhookRecovery"],
    ["POST", "/desk/v1/dead_letters/replay", "replayDeadLetters"],
    ["POST", "/desk/v1/dead_letters/:id/replay", "replayDeadLetter"],
    ["POST", "/desk/v1/session", "createSession"],
    ["DELETE", "/desk/v1/accounts/:id/api_keys/:key_id", "deleteAccountApiKey"],
    ["GET", "/healthz", "getHealthz"],
  ] as const)("of %s %s is %s", (method, path, id) => {
    expect(operationIdOf({ method, path })).toBe(id);
  });

  it("is the route's own, if it has one", () => {
    const operationId = "signLoa";
    const path = "/v2/porting_orders/:id/loa/sign";
    expect(operationIdOf({ method: "POST", path, operationId })).toBe("signLoa");
  });
});
