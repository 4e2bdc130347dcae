import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ensureKafkaUsers, kafkaLogin, lostUsersLine, refusalOf } from "./logins.ts";

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

const passwords = { reader: "of-reader", writer: "of-writer" };
const BASE = "/apis/ccompat/v7";

function as(user: "reader" | "writer", method: string, path: string): number | null {
  const login = Buffer.from(`${user}:${passwords[user]}`).toString("base64");
  return refusalOf({ method, target: BASE + path, authorization: `Basic ${login}` }, passwords);
}

const LOOK_UPS = [
  ["GET", "/subjects"],
  ["GET", "/schemas/ids/7"],
  ["GET", "/subjects/eu.porting.events-value/versions/latest"],
  ["POST", "/subjects/porting.events-value"],
  ["POST", "/subjects/porting.events-value?normalize=true"],
  ["POST", "/compatibility/subjects/porting.events-value/versions/latest"],
] as const;

const CHANGES = [
  ["POST", "/subjects/porting.events-value/versions"],
  ["POST", "/subjects/porting.events-value/versions?normalize=true"],
  ["PUT", "/config"],
  ["PUT", "/config/porting.events-value"],
  ["PUT", "/mode"],
  ["DELETE", "/config/porting.events-value"],
  ["DELETE", "/subjects/porting.events-value"],
  ["PATCH", "/subjects/porting.events-value"],
] as const;

const DETOURS = [
  "/subjects/x%2Fversions",
  "/subjects/x;a=b/versions",
  "/../../registry/v3/admin/export",
  "/./subjects",
  "//subjects",
  "/subjects/..%2f..",
  "/subjects\\x",
];

describe("the login of the schema registry", () => {
  it("lets nobody in without a password", () => {
    const ask = (authorization: string | undefined): number | null =>
      refusalOf({ method: "GET", target: `${BASE}/subjects`, authorization }, passwords);
    const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;
    const refused = [
      undefined,
      "",
      "Bearer of-reader",
      basic("reader"),
      basic("reader:"),
      basic("reader:of-writer"),
      basic("admin:of-reader"),
    ];
    expect(refused.map(ask)).toEqual(refused.map(() => 401));
    expect(ask(basic("reader:of-reader"))).toBeNull();
  });

  it("lets carriers and services read and look up, and change nothing", () => {
    expect(LOOK_UPS.map(([method, path]) => as("reader", method, path))).toEqual(
      LOOK_UPS.map(() => null),
    );
    expect(CHANGES.map(([method, path]) => as("reader", method, path))).toEqual(
      CHANGES.map(() => 403),
    );
  });

  it("lets the writer change all of it, and delete nothing for ever", () => {
    for (const [method, path] of [...LOOK_UPS, ...CHANGES]) {
      expect([method, path, as("writer", method, path)]).toEqual([method, path, null]);
    }
    const path = "/subjects/porting.events-value";
    for (const query of ["permanent=true", "permanent", "a=b&perman%65nt=TRUE"]) {
      expect(as("writer", "DELETE", `${path}?${query}`)).toBe(403);
    }
  });

  it("passes no path on that may be read in another way, and no other API", () => {
    for (const method of ["GET", "POST"]) {
      expect(DETOURS.map((path) => as("writer", method, path))).toEqual(DETOURS.map(() => 404));
    }
    const login = Buffer.from("writer:of-writer").toString("base64");
    const ask = (target: string): number | null =>
      refusalOf({ method: "GET", target, authorization: `Basic ${login}` }, passwords);
    const others = ["/apis/registry/v3/admin/export", "/", "/apis/ccompat/v6/subjects", "*"];
    expect(others.map(ask)).toEqual(others.map(() => 404));
  });
});
