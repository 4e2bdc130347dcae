import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { refusalOf } from "../../examples/webhook-receiver/typescript/verify-signature.ts";
import { signatureHeaders } from "../../services/domain/webhook/rules/signature.ts";
import { VECTORS_FILE } from "./vectors-file.ts";
import { webhookVectors, type WebhookVector, type WebhookVectors } from "./webhook-vectors.ts";

const file = JSON.parse(readFileSync(VECTORS_FILE, "utf8")) as WebhookVectors;
const named = file.vectors.map((vector) => [vector.name, vector] as const);

afterEach(() => {
  jest.useRealTimers();
});

/** Verifies as a user of the library with several secrets must. */
function isAcceptedByStandard({ secrets, headers, body, now }: WebhookVector): boolean {
  jest.useFakeTimers({ now: now * 1_000 });
  return secrets.some((secret) => {
    try {
      new Webhook(secret).verify(Buffer.from(body), headers);
      return true;
    } catch {
      return false;
    }
  });
}

describe("the vectors of examples/webhook-receiver", () => {
  it("match the current signer (npm run vectors)", () => {
    expect(file).toEqual(webhookVectors());
  });

  it("contain each verdict and the cases that a receiver meets", () => {
    const verdicts = new Set(file.vectors.map(({ verdict }) => verdict));
    expect([...verdicts].sort()).toEqual([
      "malformed_header",
      "missing_header",
      "no_matching_signature",
      "timestamp_outside_tolerance",
      "valid",
    ]);
  });

  it.each(named)("are judged by the TypeScript receiver: %s", (_, vector) => {
    const { headers, body, secrets, now } = vector;
    const request = { header: headers["porting-signature"], body: Buffer.from(body) };
    const refusal = refusalOf(request, { secrets, nowSeconds: now });
    expect(refusal ?? "valid").toBe(vector.verdict);
  });

  it.each(named)("are judged by standardwebhooks: %s", (_, vector) => {
    expect(isAcceptedByStandard(vector)).toBe(vector.standard_webhooks);
  });

  it("are signed by our signer where exactly one valid secret is known", () => {
    const good = file.vectors.filter(({ name }) => name.startsWith("valid"));
    expect(good.length).toBeGreaterThan(1);
    for (const { headers, body, secrets } of good) {
      const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
      const eventId = headers["webhook-id"] ?? "";
      const ours = signatureHeaders({ eventId, body: Buffer.from(body), at, secrets });
      expect(headers).toMatchObject({
        "porting-signature": ours["Porting-Signature"],
        "webhook-signature": ours["webhook-signature"],
      });
    }
  });
});
