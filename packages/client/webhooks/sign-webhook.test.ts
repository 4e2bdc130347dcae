import { describe, expect, it } from "@jest/globals";
import { signatureHeaders } from "../../../services/domain/webhook/rules/signature.ts";
import { exampleEvent } from "../../../services/domain/event/rules/serialize-event.ts";
import { SENT_EVENT_TYPES } from "../../../services/messages/events.ts";
import { EVENT_TYPES } from "../generated/api-types.ts";
import { constructEvent } from "./construct-event.ts";
import { webhookBody, webhookHeaders, type Sent } from "./sign-webhook.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const AT_S = 1_767_225_600;

describe("a signed webhook", () => {
  it.each(SENT_EVENT_TYPES)("is what the service sends: %s", (type) => {
    const event = exampleEvent(type) as unknown as Sent;
    const body = webhookBody(event);
    expect(Object.keys(JSON.parse(body) as object)).toEqual([
      "id",
      "type",
      "created_at",
      "payload",
    ]);
    const { id: eventId } = event;
    const headers = webhookHeaders(body, {
      ...{ eventId, eventType: type },
      ...{ secret: SECRET, atSeconds: AT_S },
    });
    const at = new Date(AT_S * 1_000);
    const ours = signatureHeaders({ eventId, body: Buffer.from(body), at, secrets: [SECRET] });
    expect(headers).toEqual({
      "Content-Type": "application/json",
      "Porting-Event-Id": eventId,
      "Porting-Event-Type": type,
      ...ours,
    });
    expect(constructEvent(body, headers, { secrets: [SECRET], nowSeconds: AT_S })).toEqual(
      JSON.parse(body),
    );
  });

  it("is of a type that the client knows", () => {
    expect([...EVENT_TYPES]).toEqual(SENT_EVENT_TYPES);
  });
});
