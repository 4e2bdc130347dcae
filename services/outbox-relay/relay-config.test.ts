import { describe, expect, it } from "@jest/globals";
import { readConfig } from "./config.ts";

const env = { DATABASE_URL: "postgres://h/d", KAFKA_BROKERS: "h:1" };

describe("INBOX_RETENTION", () => {
  it("must exceed the time that any topic may keep a message, or be unlimited", () => {
    expect(readConfig(env).INBOX_RETENTION).toBe(90 * 86_400_000);
    expect(readConfig({ ...env, INBOX_RETENTION: "38d" }).INBOX_RETENTION).toBe(38 * 86_400_000);
    expect(readConfig({ ...env, INBOX_RETENTION: "0d" }).INBOX_RETENTION).toBe(0);
    for (const short of ["37d", "1h"]) {
      expect(() => readConfig({ ...env, INBOX_RETENTION: short })).toThrow(/INBOX_RETENTION/);
    }
  });
});
