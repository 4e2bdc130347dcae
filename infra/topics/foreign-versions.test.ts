import { describe, expect, it } from "@jest/globals";
import { CARRIER_REQUEST_TEXT } from "../../services/messages/generated/carrier-request.ts";
import { RELEASED_SCHEMAS } from "../../services/messages/generated/released-schemas.ts";
import { foreignVersions } from "./foreign-versions.ts";

const [first = ""] = RELEASED_SCHEMAS["CarrierRequest"] ?? [];

function listed(texts: readonly string[]) {
  return texts.map((text, n) => ({ version: n + 1, id: 10 + n, text }));
}

describe("the versions of a subject", () => {
  it("are ours as every release has them, in whatever layout", () => {
    const parsed: unknown = JSON.parse(CARRIER_REQUEST_TEXT);
    const texts = [
      first,
      CARRIER_REQUEST_TEXT,
      CARRIER_REQUEST_TEXT.trim(),
      JSON.stringify(parsed),
    ];
    expect(first).not.toBe("");
    expect(foreignVersions(CARRIER_REQUEST_TEXT, listed(texts))).toEqual([]);
  });

  it("are a stranger's with another field or another text of a field", () => {
    const texts = [
      CARRIER_REQUEST_TEXT,
      CARRIER_REQUEST_TEXT.replace(/"doc": "[^"]+"/, '"doc": "Something else."'),
      first,
      '{"type": "record", "name": "CarrierRequest", "fields": []}',
      '"string"',
    ];
    const foreign = foreignVersions(CARRIER_REQUEST_TEXT, listed(texts));
    expect(foreign.map(({ version }) => version)).toEqual([2, 4, 5]);
  });
});
