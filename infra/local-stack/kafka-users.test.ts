import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ensureKafkaUsers, kafkaLogin, lostUsersLine } from "./kafka-users.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kafka-users-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe("ensureKafkaUsers", () => {
  it("keeps passwords, adds new users, and lets only the owner read them", () => {
    const first = ensureKafkaUsers(folder, ["api"]);
    expect(Object.keys(first)).toEqual(["admin", "api"]);
    expect(new Set(Object.values(first)).size).toBe(2);
    const second = ensureKafkaUsers(folder, ["api", "provider-us-lsr"]);
    expect(second).toMatchObject(first);
    expect(second["provider-us-lsr"]).toMatch(/^[\w-]{32}$/);
    const path = join(folder, "kafka-users.json");
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(second);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("keeps the password of a user that is not asked for, for when it returns", () => {
    const first = ensureKafkaUsers(folder, ["provider-us-lsr"]);
    expect(Object.keys(ensureKafkaUsers(folder, []))).toEqual(["admin"]);
    expect(ensureKafkaUsers(folder, ["provider-us-lsr"])).toEqual(first);
  });
});

describe("lostUsersLine", () => {
  it("warns of new passwords where the product has run without the file that has them", () => {
    expect(lostUsersLine(folder)).toBeNull();
    mkdirSync(join(folder, "postgres"));
    expect(lostUsersLine(folder)).toMatch(
      /^kafka-users.json is missing in .*, though the product has run/,
    );
    ensureKafkaUsers(folder, []);
    expect(lostUsersLine(folder)).toBeNull();
  });
});

describe("kafkaLogin", () => {
  it("is by SCRAM, and only for known users", () => {
    const users = { admin: "a" };
    const login = { mechanism: "SCRAM-SHA-512", username: "admin", password: "a" };
    expect(kafkaLogin(users, "admin")).toEqual(login);
    expect(() => kafkaLogin(users, "api")).toThrow("Kafka has no user api");
  });
});
