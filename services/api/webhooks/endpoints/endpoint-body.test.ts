import { describe, expect, it } from "@jest/globals";
import { newEndpointBody, patchEndpointBody, rotateSecretBody } from "./routes.ts";

const url = "https://hooks.example.com/porting";

describe("the body of a webhook endpoint (docs/contract/customer-api.md, Webhook endpoints)", () => {
  it("has an active endpoint for all event types, without a limit, unless it says otherwise", () => {
    expect(newEndpointBody.parse({ url })).toEqual({
      url,
      description: null,
      enabled_events: [],
      active: true,
      max_per_second: null,
    });
    expect(patchEndpointBody.parse({})).toEqual({});
  });

  it.each([
    [0, false],
    [1, true],
    [1_000, true],
    [1_001, false],
    [1.5, false],
    [null, true],
  ])("takes 1 to 1,000 webhooks a second, or null: %j", (max_per_second, isAccepted) => {
    expect(newEndpointBody.safeParse({ url, max_per_second }).success).toBe(isAccepted);
    expect(patchEndpointBody.safeParse({ max_per_second }).success).toBe(isAccepted);
  });

  it("ends the former secret at once unless an overlap is given", () => {
    expect(rotateSecretBody.parse({})).toEqual({ overlap_seconds: 0 });
  });
});
