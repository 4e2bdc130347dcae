import { describe, expect, it } from "@jest/globals";
import { ApiError, ConnectionError } from "../client/errors.ts";
import { describeError, HintedError, usageError } from "./errors.ts";

const HINT = "Use another key.";

function refused(status: number, code: string, errors: ApiError["faults"] = []): ApiError {
  const detail = "It cannot be done.";
  return new ApiError({ type: "x", title: "T", status, detail, code, request_id: "req-1", errors });
}

describe("an error", () => {
  it.each([
    [refused(401, "unauthorized"), 3],
    [refused(403, "account_suspended"), 3],
    [refused(404, "not_found"), 4],
    [refused(409, "not_ready"), 5],
    [refused(422, "validation_failed"), 5],
    [refused(429, "rate_limited"), 6],
    [refused(503, "unavailable"), 6],
    // A proxy's, or another server's at a wrong address.
    [refused(404, "http_404"), 6],
    [refused(200, "http_200"), 6],
    [new ConnectionError("No answer."), 6],
    [usageError("No."), 2],
    [new TypeError("a fault of ours"), 1],
  ])("%s leads to exit code %i", (error, exitCode) => {
    expect(describeError(error, HINT).exitCode).toBe(exitCode);
  });

  it("says where it was not the API that answered", () => {
    expect(describeError(refused(404, "http_404"), HINT).text).toContain("Is its address right?");
    expect(describeError(refused(404, "not_found"), HINT).text).not.toContain("address");
  });

  it("of a refused key says which key to change, and that with a hint ends with it", () => {
    expect(describeError(refused(401, "unauthorized"), HINT).text).toMatch(/\nUse another key\.$/);
    const hinted = new HintedError(refused(409, "not_ready"), "Fill it.");
    const { text, exitCode } = describeError(hinted, HINT);
    expect([text.split("\n").at(-1), exitCode]).toEqual(["Fill it.", 5]);
  });

  it("of the system is one line, without a stack", () => {
    const error = Object.assign(new Error("EACCES: permission denied"), { syscall: "open" });
    expect(describeError(error, HINT).text).toBe("EACCES: permission denied");
  });

  it("of the API is a sentence with the request id, and a line for each fault", () => {
    const faults = [
      { pointer: "#/phone_numbers/0", code: "invalid_number", detail: "It is no number." },
      { code: "quota", detail: "Too many." },
    ];
    expect(describeError(refused(422, "validation_failed", faults), HINT).text).toBe(
      [
        "It cannot be done. (validation_failed, request req-1)",
        "  #/phone_numbers/0: It is no number. (invalid_number)",
        "  Too many. (quota)",
      ].join("\n"),
    );
  });
});
