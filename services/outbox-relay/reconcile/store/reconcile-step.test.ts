import { describe, expect, it } from "@jest/globals";
import { expectations } from "./reconcile-step.ts";

describe("expectations", () => {
  it("has one entry per topic and consumer, on the deployment's topics", () => {
    const { topics, consumers, logged } = expectations("run1.");
    const lines = topics.map((topic, n) => [topic, consumers[n], logged[n]]);
    expect(lines).toContainEqual(["run1.porting.events", "event-log", true]);
    expect(lines).toContainEqual(["run1.porting.events", "webhook-sender", false]);
    expect(lines).toContainEqual(["run1.porting.carrier-results", "order-lifecycle", false]);
    expect(topics).not.toContain("run1.carriers.requests");
  });
});
