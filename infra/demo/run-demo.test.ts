import { describe, expect, it } from "@jest/globals";
import { Refused, sentenceOf } from "./demo-client.ts";
import { summaryLines } from "./run-demo.ts";

describe("the end of the demo", () => {
  const end = {
    orders: 10,
    broken: 1,
    tookMs: 12_345,
    played: new Map([
      ["waits for review", 2],
      ["completed", 7],
    ]),
    hasWebhooks: false,
    deskUrl: "http://127.0.0.1:3001",
    run: "DEMO-1",
  };

  it("says what was played, most often first, and where it is", () => {
    const text = summaryLines(end).join("\n");
    expect(text).toContain("9 of 10 orders were played in 12 s; 1 broke off:");
    expect(text.indexOf("completed")).toBeLessThan(text.indexOf("waits for review"));
    expect(text).toContain("No webhooks were sent.");
    expect(text).toContain("http://127.0.0.1:3001");
    expect(text).toContain("DEMO-1");
  });
});

describe("a refusal in the demo", () => {
  const faults = {
    type: "about:blank",
    status: 422,
    code: "validation_failed",
    detail: "The body has 1 fault.",
    errors: [{ pointer: "/url", code: "invalid", detail: "The URL must begin with https://." }],
  };

  it("is a sentence, without the JSON that it came in", () => {
    const refused = new Refused("POST /webhook_endpoints", 422, JSON.stringify(faults));
    expect(refused.message).toBe(
      "POST /webhook_endpoints was refused (422): The URL must begin with https://.",
    );
    expect(sentenceOf(JSON.stringify({ detail: "There is no such order." }))).toBe(
      "There is no such order.",
    );
  });

  it("is what was answered where that is none of ours", () => {
    expect(sentenceOf("Bad gateway")).toBe("Bad gateway");
    expect(sentenceOf("[1]")).toBe("[1]");
  });
});
