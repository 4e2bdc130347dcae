import { describe, expect, it } from "@jest/globals";
import { AppError, type ErrorCode } from "../../errors.ts";
import { missingFirst } from "./preparing.ts";
import { ok } from "./reply.ts";
import { noDatabase } from "../../../../test/support/http/no-database.ts";

const sent = { db: noDatabase, params: {}, admitted: { principal: "somebody" } };
const isThere = { find: () => Promise.resolve() };
const isMissing = { find: () => Promise.reject(new AppError("not_found", "It is not there.")) };
const refuse = (code: ErrorCode) => () => Promise.reject(new AppError(code, "No."));

describe("a request for a missing resource", () => {
  it.each<ErrorCode>([
    "unsupported_media_type",
    "payload_too_large",
    "malformed_json",
    "invalid_parameter",
    "validation_failed",
    "webhook_url_blocked",
  ])("is not_found instead of %s", async (code) => {
    await expect(missingFirst(isMissing, sent, refuse(code))).rejects.toHaveProperty(
      "code",
      "not_found",
    );
    await expect(missingFirst(isThere, sent, refuse(code))).rejects.toHaveProperty("code", code);
    await expect(missingFirst({}, sent, refuse(code))).rejects.toHaveProperty("code", code);
  });

  it("is not looked up if it is served, or refused for its state", async () => {
    const reply = ok({});
    expect(await missingFirst(isMissing, sent, () => Promise.resolve(reply))).toBe(reply);
    const refused = missingFirst(isMissing, sent, refuse("invalid_state"));
    await expect(refused).rejects.toHaveProperty("code", "invalid_state");
  });
});
