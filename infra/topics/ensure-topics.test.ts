import { describe, expect, it } from "@jest/globals";
import { CARRIER_REQUEST_TEXT } from "../../services/messages/generated/carrier-request.ts";
import { RELEASED_SCHEMAS } from "../../services/messages/generated/released-schemas.ts";
import { AppError } from "../../services/platform/errors.ts";
import { foreignVersions, namingRegistry } from "./ensure-topics.ts";

const URL_WITH_LOGIN = "http://writer:secret@127.0.0.1:1/apis/ccompat/v7";

describe("a registry that is away", () => {
  it("is named by its address, without a login in it", () => {
    const away = new AppError("registry_unavailable", "it is away", { retryable: true });
    expect(namingRegistry(away, URL_WITH_LOGIN)).toMatchObject({
      code: "registry_unavailable",
      retryable: true,
      message:
        "the schema registry at http://127.0.0.1:1/apis/ccompat/v7 is not responding properly",
    });
  });

  it("is not what another fault reports", () => {
    const refused = new AppError("topic_mismatch", "subject one rejects its schema");
    expect(namingRegistry(refused, URL_WITH_LOGIN)).toBe(refused);
  });
});

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
