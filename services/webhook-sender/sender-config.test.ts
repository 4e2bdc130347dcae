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
