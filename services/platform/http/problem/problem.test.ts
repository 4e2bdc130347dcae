import { describe, expect, it } from "@jest/globals";

import { AppError, ERROR_CODES } from "../../errors.ts";
import { PROBLEMS, toProblem } from "./problem.ts";

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
