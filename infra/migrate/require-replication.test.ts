import { describe, expect, it } from "@jest/globals";
import { replicationFault, requireLogAccess, type LogAccess } from "./require-replication.ts";

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
