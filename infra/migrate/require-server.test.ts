import { describe, expect, it } from "@jest/globals";
import { AppError } from "../../services/platform/errors.ts";
import {
  connectionFault,
  replicationFault,
  requireLogAccess,
  requireRoles,
  requireSessions,
  requireUrl,
  requireVersion,
  type LogAccess,
} from "./require-server.ts";

describe("a Postgres of one's own", () => {
  it("is named by a URL", () => {
    requireUrl("postgres://login@host/porting");
    requireUrl("postgresql://login:secret@host:5432/porting?sslmode=require");
    for (const given of ["", "base", "host=localhost dbname=porting", "http://host/porting"]) {
      expect(() => requireUrl(given)).toThrow(
        "DATABASE_URL is not postgresql://user:password@host:port/database.",
      );
    }
  });

  it("is of version 16 or newer", () => {
    for (const version of ["16.0", "18.4 (Debian 18.4-1)", "19beta1"]) requireVersion(version);
    expect(() => requireVersion("15.14")).toThrow(
      "This is Postgres 15.14; 16 or newer is required. Nothing was changed.",
    );
    expect(() => requireVersion("9.6.24")).toThrow("16 or newer");
  });

  it("is no pooler in transaction mode, in which sessions share a backend or change theirs", () => {
    requireSessions([
      { one: 1, other: 2 },
      { one: 1, other: 2 },
    ]);
    const pooled = [
      [{ one: 1, other: 1 }],
      [
        { one: 1, other: 2 },
        { one: 2, other: 1 },
      ],
      [
        { one: 1, other: 2 },
        { one: 1, other: 3 },
      ],
    ];
    for (const rounds of pooled) expect(() => requireSessions(rounds)).toThrow("transaction mode");
  });

  it("says at once which roles its login lacks, in SQL for a superuser", () => {
    requireRoles({ login: "app", missing: [], foreign: [] });
    expect(() =>
      requireRoles({ login: "app", missing: ["one", "two"], foreign: ["three"] }),
    ).toThrow(
      /3 roles[^]*\ncreate role one nologin;\ncreate role two nologin;\ngrant one, two, three to app;\n/,
    );
  });
});

const NOBODY: LogAccess = {
  wal_level: "logical",
  login: "app",
  grants: false,
  login_replicates: false,
  relay_replicates: false,
};

const faultOf = (code: string, message = "refused") =>
  replicationFault(Object.assign(new Error(message), { code }));

describe("a Postgres whose log the outbox is read from", () => {
  it("writes what that needs, or the parameter is named, and that a restart is needed", () => {
    const access = { ...NOBODY, grants: true };
    requireLogAccess(access);
    expect(() => requireLogAccess({ ...access, wal_level: "replica" })).toThrow(
      /wal_level=replica.*set wal_level = logical.*restart it\. Nothing was changed\.$/,
    );
  });

  it.each(["grants", "login_replicates", "relay_replicates"] as const)(
    "lets somebody read it: %s",
    (right) => requireLogAccess({ ...NOBODY, [right]: true }),
  );

  it("has a login that may read it, or the grant is named", () => {
    expect(() => requireLogAccess(NOBODY)).toThrow(
      /alter role porting_outbox_relay replication;.*alter role app replication;.*Nothing was changed/,
    );
  });

  it("is reached past a pooler, which is distinguished from a missing right", () => {
    expect(faultOf("08P01")).toMatchObject({
      code: "invalid_config",
      message: expect.stringMatching(/PgBouncer.*DATABASE_REPLICATION_URL/),
    });
    expect(faultOf("42501")).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("alter role … replication"),
    });
    expect(faultOf("28P01")).toMatchObject({ message: expect.stringContaining("the password") });
  });
});

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
