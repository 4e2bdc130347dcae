import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { signatureHeaders } from "../../domain/webhook/rules/signature.ts";
import { SENT_EVENT_TYPES } from "../../messages/events.ts";
import { describeWebhooks } from "./api-description.ts";

const shown = z.object({
  post: z.object({ parameters: z.array(z.object({ name: z.string() })) }),
});

describe("the description of the webhooks", () => {
  it("lists every header that the service adds", () => {
    const signed = { eventId: "", body: Buffer.of(), at: new Date(0), secrets: [] };
    const sent = [
      "Porting-Event-Id",
      "Porting-Event-Type",
      ...Object.keys(signatureHeaders(signed)),
    ];
    const webhooks = Object.values(describeWebhooks().requests);
    expect(webhooks).toHaveLength(SENT_EVENT_TYPES.length);
    for (const webhook of webhooks) {
      const { parameters } = shown.parse(webhook).post;
      expect(parameters.map(({ name }) => name)).toEqual(sent);
    }
  });
});
