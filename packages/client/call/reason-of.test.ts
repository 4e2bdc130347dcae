import { describe, expect, it } from "@jest/globals";
import { reasonOf } from "./reason-of.ts";

function failed(message: string, code?: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
}

describe("why fetch failed", () => {
  it.each([
    [
      failed("connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED"),
      "connect ECONNREFUSED 127.0.0.1:1",
    ],
    [failed("", "ECONNREFUSED"), "ECONNREFUSED"],
    [
      failed("804C:error:0A00010B:SSL routines::../ssl3_record.c:350:\n", "ERR_SSL_WRONG"),
      /^TLS failed \(ERR_SSL_WRONG\).*speak TLS$/,
    ],
    [failed("bad port"), "fetch calls no server at this port (bad port)"],
    [new TypeError("fetch failed"), "fetch failed"],
  ])("%#", (error, reason) => {
    expect(reasonOf(error)).toEqual(
      typeof reason === "string" ? reason : expect.stringMatching(reason),
    );
  });
});
