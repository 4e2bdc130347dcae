import { describe, expect, it } from "@jest/globals";

import { AppError, ERROR_CODES } from "../errors.ts";
import { PROBLEMS, toProblem } from "./problem.ts";

/** Each status with its codes (docs/contract/customer-api.md, Conventions); `forbidden` is the desk's alone. */
const CODES = {
  400: ["invalid_header", "invalid_parameter", "malformed_json"],
  401: ["unauthorized"],
  403: ["account_suspended", "forbidden"],
  404: ["not_found"],
  405: ["method_not_allowed"],
  406: ["not_acceptable"],
  409: [
    "already_decided",
    "cancel_too_late",
    "change_too_late",
    "claimed",
    "endpoint_paused",
    "idempotency_in_progress",
    "invalid_state",
    "last_active_key",
    "not_ready",
    "number_in_active_order",
    "quota_exceeded",
  ],
  413: ["payload_too_large"],
  415: ["unsupported_media_type"],
  422: ["idempotency_key_reused", "validation_failed", "webhook_url_blocked"],
  429: ["rate_limited"],
  500: ["internal"],
  503: ["unavailable"],
};

describe("the table of problems", () => {
  it("has exactly the contract's codes, each with the contract's status", () => {
    const wanted = Object.entries(CODES).flatMap(([status, codes]) =>
      codes.map((code) => [code, Number(status)]),
    );
    const served = Object.entries(PROBLEMS).map(([code, { status }]) => [code, status]);
    expect(Object.fromEntries(served)).toEqual(Object.fromEntries(wanted));
  });
});

describe("toProblem", () => {
  it("returns a refusal with its faults and headers", () => {
    const fault = { pointer: "#/a", code: "required", detail: "It is required." };
    const error = new AppError("validation_failed", "1 fault", {
      faults: [fault],
      headers: { "X-More": "1" },
    });
    expect(toProblem(error, "req-00001")).toEqual({
      status: 422,
      headers: { "X-More": "1" },
      body: {
        type: "urn:numberporting:problem:validation_failed",
        title: "The request is not valid",
        status: 422,
        detail: "1 fault",
        code: "validation_failed",
        request_id: "req-00001",
        errors: [fault],
      },
    });
  });

  it.each(ERROR_CODES)(
    "has a response for %s that shows the detail only of public codes",
    (code) => {
      const { status, body } = toProblem(new AppError(code, "secret text"), "req-00001");
      expect(status).toBeGreaterThanOrEqual(400);
      const own = code in PROBLEMS && code !== "unauthorized" && code !== "internal";
      expect(body.detail === "secret text").toBe(own);
      if (!own) expect([401, 500, 503]).toContain(status);
    },
  );

  it.each([new Error("secret text"), "secret text", null, undefined, { status: 404 }])(
    "returns a bare 500 for anything else",
    (thrown) => {
      const { status, body } = toProblem(thrown, "req-00001");
      expect(status).toBe(500);
      expect(JSON.stringify(body)).not.toContain("secret text");
    },
  );

  it("asks for a key or for a token, whichever the callers have", () => {
    const refused = new AppError("unauthorized", "secret text");
    expect(toProblem(refused, "req-00001").body).toMatchObject({
      title: "A valid API key is required",
      detail: "Send one active API key as Authorization: Bearer or as X-API-Key.",
    });
    const atDesk = toProblem(refused, "req-00001", "token");
    expect(atDesk.headers).toEqual({ "WWW-Authenticate": "Bearer" });
    expect(atDesk.body.detail).toBe("Send one active token as Authorization: Bearer.");
    expect(JSON.stringify(atDesk.body)).not.toMatch(/key/i);
    const missing = new AppError("not_found", "There is no such order.");
    expect(toProblem(missing, "req-00001", "token")).toEqual(toProblem(missing, "req-00001"));
  });

  it("sets Retry-After on 429 and 503, to the error's own value if it has one", () => {
    const retryAfter = (error: AppError) => toProblem(error, "req-00001").headers["Retry-After"];
    expect(retryAfter(new AppError("broker_unavailable", ""))).toBe("2");
    expect(retryAfter(new AppError("rate_limited", ""))).toBe("1");
    const later = { headers: { "Retry-After": "30" } };
    expect(retryAfter(new AppError("rate_limited", "", later))).toBe("30");
  });
});
