import { describe, expect, it } from "@jest/globals";
import { requireRoles, requireSessions, requireUrl, requireVersion } from "./require-server.ts";

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
