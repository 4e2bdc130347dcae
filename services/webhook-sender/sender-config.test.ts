import { describe, expect, it } from "@jest/globals";
import { readConfig } from "./config.ts";

const env = {
  DATABASE_URL: "postgresql://localhost/porting",
  KAFKA_BROKERS: "localhost:9092",
  SCHEMA_REGISTRY_URL: "http://localhost:8080",
  SECRETS_KEY: "key",
};

const proxyIn = (WEBHOOK_PROXY_URL: string) =>
  readConfig({ ...env, WEBHOOK_PROXY_URL }).WEBHOOK_PROXY_URL;

describe("WEBHOOK_PROXY_URL", () => {
  it("may be empty, and may contain a user name and a password", () => {
    expect(proxyIn("")).toBeUndefined();
    expect(proxyIn("http://me:p%40ss@proxy:3128/")).toBe("http://me:p%40ss@proxy:3128");
    expect(proxyIn("https://proxy")).toBe("https://proxy");
  });

  it.each(["socks5://me:hunter2@proxy", "http://me:hunter2%zz@proxy", "me:hunter2@proxy"])(
    "is refused as %s without showing its password",
    (text) => {
      expect(() => proxyIn(text)).toThrow("WEBHOOK_PROXY_URL");
      expect(() => proxyIn(text)).not.toThrow("hunter2");
    },
  );
});

describe("SMTP_URL", () => {
  const mail = { SMTP_URL: "smtp://me:p%40ss@mail.example.com", SMTP_FROM: "notices@example.com" };

  it("is off unless it is set, and then needs a sender", () => {
    expect(readConfig(env).SMTP_URL).toBeUndefined();
    expect(readConfig({ ...env, ...mail })).toMatchObject(mail);
    for (const name of ["SMTP_URL", "SMTP_FROM"]) {
      expect(() => readConfig({ ...env, ...mail, [name]: "" })).toThrow(
        "SMTP_URL and SMTP_FROM, the sender of mails, are set together or not at all",
      );
    }
  });

  it.each([
    "http://me:hunter2@mail",
    "smtp://me:hunter2%zz@mail",
    "mail.example.com:25",
    "smtp:///",
  ])("is refused as %s without showing its password", (SMTP_URL) => {
    expect(() => readConfig({ ...env, ...mail, SMTP_URL })).toThrow("SMTP_URL");
    expect(() => readConfig({ ...env, ...mail, SMTP_URL })).not.toThrow("hunter2");
  });

  it.each([
    ["SMTP_FROM", "Notices <notices@example.com>"],
    ["SMTP_FROM", "notices@example.com\r\nBcc: other@example.com"],
    ["DESK_NOTICE_EMAILS", "desk@example.com, <other@example.com>"],
    ["DESK_NOTICES", "review_overdue,all"],
  ])("has a %s that is not %j", (name, value) => {
    expect(() => readConfig({ ...env, ...mail, [name]: value })).toThrow(name);
  });
});
