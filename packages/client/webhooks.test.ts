import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { exampleEvent } from "../../services/domain/event/rules/serialize-event.ts";
import { signatureHeaders } from "../../services/domain/webhook/rules/signature.ts";
import { SENT_EVENT_TYPES } from "../../services/messages/events.ts";
import { VECTORS_FILE } from "../../test/vectors/vectors-file.ts";
import type { WebhookVectors } from "../../test/vectors/webhook-vectors.ts";
import { EVENT_TYPES } from "./generated/api-types.ts";
import {
  constructEvent,
  webhookBody,
  WebhookError,
  webhookHeaders,
  type Sent,
} from "./webhooks.ts";

const { vectors } = JSON.parse(readFileSync(VECTORS_FILE, "utf8")) as WebhookVectors;
const valid = vectors.find(({ name }) => name === "valid");

function verdictOf(construct: () => unknown): string {
  try {
    construct();
    return "valid";
  } catch (error) {
    if (error instanceof WebhookError) return error.reason;
    throw error;
  }
}

describe("constructEvent", () => {
  it.each(vectors)("judges the golden vector: $name", (vector) => {
    const { headers, body, secrets, now, verdict } = vector;
    const text = () => constructEvent(body, headers, { secrets, nowSeconds: now });
    const bytes = () =>
      constructEvent(Buffer.from(body), new Headers(headers), { secrets, nowSeconds: now });
    // The body of one vector is signed, and no event.
    const expected = body === "{}" && verdict === "valid" ? "malformed_body" : verdict;
    expect([verdictOf(text), verdictOf(bytes)]).toEqual([expected, expected]);
  });

  it("returns the event, whose type determines its payload", () => {
    if (valid === undefined) throw new Error("there is no valid vector");
    const { headers, body, secrets, now } = valid;
    const event = constructEvent(body, headers, { secrets, nowSeconds: now });
    if (event.type !== "porting_order.requirement_updated") throw new Error(event.type);
    expect(event.payload.requirement.slug).toBe("service_address");
  });

  it("takes the headers of a framework's own class", () => {
    if (valid === undefined) throw new Error("there is no valid vector");
    const { headers, body, secrets, now } = valid;
    const kept = new Headers(headers);
    const own = { get: (name: string) => kept.get(name) };
    expect(constructEvent(body, own, { secrets, nowSeconds: now }).type).toMatch(/./);
  });

  it("never takes an empty secret, with which anybody could sign", () => {
    const atSeconds = Math.floor(Date.now() / 1_000);
    const body = '{"id":"1","type":"loa.signed"}';
    const signing = { eventId: "1", eventType: "loa.signed", secret: "", atSeconds };
    const headers = webhookHeaders(body, signing);
    expect(() => constructEvent(body, headers, "")).toThrow(TypeError);
    expect(() => constructEvent(body, headers, [])).toThrow(TypeError);
    expect(verdictOf(() => constructEvent(body, headers, ["whsec_eA==", ""]))).toBe(
      "no_matching_signature",
    );
  });

  it("accepts nothing with a tolerance that is not a number", () => {
    if (valid === undefined) throw new Error("there is no valid vector");
    const { headers, body, secrets } = valid;
    const verifier = { secrets, toleranceSeconds: NaN };
    expect(verdictOf(() => constructEvent(body, headers, verifier))).toBe(
      "timestamp_outside_tolerance",
    );
  });

  it("takes another tolerance", () => {
    if (valid === undefined) throw new Error("there is no valid vector");
    const { headers, body, secrets, now } = valid;
    const at = (toleranceSeconds: number) =>
      verdictOf(() =>
        constructEvent(body, headers, { secrets, nowSeconds: now + 11, toleranceSeconds }),
      );
    expect([at(10), at(11)]).toEqual(["timestamp_outside_tolerance", "valid"]);
  });
});

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
