import { expect, it } from "@jest/globals";
import * as incubating from "@opentelemetry/semantic-conventions/incubating";
import { SPAN_ATTRIBUTES } from "./tracing.ts";

it("a span's attributes are those of OpenTelemetry's conventions, and what they lack about a webhook", () => {
  const known = new Set<unknown>(Object.values(incubating));
  const own = SPAN_ATTRIBUTES.filter((name) => !known.has(name));
  expect(own).toEqual([
    "webhook.attempt",
    "webhook.delivery_id",
    "webhook.endpoint_key",
    "webhook.event_type",
  ]);
});
