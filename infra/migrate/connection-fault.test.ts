import { describe, expect, it } from "@jest/globals";
import { AppError } from "../../services/platform/errors.ts";
import { connectionFault } from "./connection-fault.ts";

function failure(message: string, code?: string): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

describe("a first connection to Postgres that fails", () => {
  it.each([
    [failure('password authentication failed for user "app"', "28P01"), "user or the password"],
    [failure('database "nodb" does not exist', "3D000"), "no database of the name"],
    [failure("getaddrinfo ENOTFOUND db.invalid", "ENOTFOUND"), "no address"],
    [new AggregateError([failure("connect", "ECONNREFUSED")], "all failed"), "Nothing listens"],
    [failure("timeout expired"), "does not answer"],
    [failure("The server does not support SSL connections"), "does not encrypt"],
    [failure("self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT"), "is not trusted"],
    [failure("no issuer", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"), "is not trusted"],
    [failure("wrong host", "ERR_TLS_CERT_ALTNAME_INVALID"), "for another host"],
    [
      failure('no pg_hba.conf entry for host "::1", user "app", no encryption', "28000"),
      "encrypted connections alone",
    ],
  ])("is told in a sentence: %s", (cause, sentence) => {
    const fault = connectionFault(cause);
    expect(fault).toBeInstanceOf(AppError);
    expect(fault).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining(sentence),
    });
  });

  it("is left as it is where nothing is known about it", () => {
    const unknown = failure("something else", "XX000");
    expect(connectionFault(unknown)).toBe(unknown);
  });
});
