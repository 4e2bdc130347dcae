import { describe, expect, it } from "@jest/globals";
import { registryConnection } from "./registry-connection.ts";

const url = "https://registry.example.com/apis/ccompat/v7";

describe("registryConnection", () => {
  it("logs in where a user name and a password are given", () => {
    expect(registryConnection({ SCHEMA_REGISTRY_URL: `${url}/` })).toMatchObject({
      url,
      auth: null,
      headers: {},
    });
    const login = { SCHEMA_REGISTRY_USERNAME: "api", SCHEMA_REGISTRY_PASSWORD: "s3cret" };
    expect(registryConnection({ SCHEMA_REGISTRY_URL: url, ...login })).toMatchObject({
      auth: { username: "api", password: "s3cret" },
      headers: { authorization: `Basic ${Buffer.from("api:s3cret").toString("base64")}` },
    });
  });

  it.each([
    [{ SCHEMA_REGISTRY_USERNAME: "api" }, "are given together"],
    [{ SCHEMA_REGISTRY_PASSWORD: "s3cret" }, "are given together"],
    [{ SCHEMA_REGISTRY_CA_FILE: "/none.pem" }, "the file cannot be read"],
    [{ SCHEMA_REGISTRY_URL: "http://r", SCHEMA_REGISTRY_CA_FILE: "/ca.pem" }, "needs an https://"],
  ])("refuses %j", (given, fault) => {
    expect(() => registryConnection({ SCHEMA_REGISTRY_URL: url, ...given })).toThrow(fault);
  });
});
