import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import pg from "pg";
import { connectionSettings, driverUrl } from "./pool.ts";

const url = "postgresql://login:secret@localhost:5432/porting";

describe("connectionSettings", () => {
  it("sets the role at the start, before the session's other settings", () => {
    const settings = connectionSettings({ url, service: "one", role: "one", settings: ["a=b"] });
    expect(settings).toMatchObject({
      connectionString: url,
      options: "-c role=one -c jit=off -c a=b",
    });
  });

  it("keeps the login's rights without a role", () => {
    expect(connectionSettings({ url, service: "one" }).options).toBe("-c jit=off");
  });

  it("trusts the certificate authority that the URL names, and verifies the server's name", () => {
    const path = fileURLToPath(import.meta.url);
    const given = `${url}?sslmode=verify-full&sslrootcert=${encodeURIComponent(path)}&options=-c%20a%3Db`;
    const client = new pg.Client(connectionSettings({ url: given, service: "one", role: "one" }));
    expect(client.ssl).toEqual({ ca: readFileSync(path, "utf8") });
  });

  it("does not let options in the URL override the role", () => {
    const given = `${url}?sslmode=require&options=-c%20work_mem%3D8MB%20-c%20role%3Dother`;
    const settings = connectionSettings({ url: given, service: "one", role: "one" });
    expect(settings).toMatchObject({
      connectionString: `${url}?sslmode=require&uselibpqcompat=true`,
      options: "-c work_mem=8MB -c role=other -c role=one -c jit=off",
    });
  });
});

const URL_WITHOUT = "postgresql://login:secret@localhost:5432/porting";
const CA = encodeURIComponent(fileURLToPath(import.meta.url));

function tlsOf(query: string): unknown {
  return new pg.Client({ connectionString: driverUrl(`${URL_WITHOUT}${query}`) }).ssl;
}

describe("the URL of a database, as the driver reads it", () => {
  it("encrypts without verifying where it says require, as it does for every other client", () => {
    expect(tlsOf("?sslmode=require")).toEqual({ rejectUnauthorized: false });
    expect(tlsOf("?sslmode=prefer")).toEqual({ rejectUnauthorized: false });
  });

  it("verifies the authority that it names, and the host with verify-full", () => {
    const ca = expect.any(String);
    const noHost = expect.any(Function);
    expect(tlsOf(`?sslmode=require&sslrootcert=${CA}`)).toEqual({
      ca,
      checkServerIdentity: noHost,
    });
    expect(tlsOf(`?sslmode=verify-ca&sslrootcert=${CA}`)).toEqual({
      ca,
      checkServerIdentity: noHost,
    });
    expect(tlsOf(`?sslmode=verify-full&sslrootcert=${CA}`)).toEqual({ ca });
    expect(tlsOf("?sslmode=verify-ca")).toEqual({});
  });

  it("is left as it is otherwise", () => {
    for (const query of ["", "?sslmode=disable", "?sslmode=require&uselibpqcompat=false"]) {
      expect(driverUrl(URL_WITHOUT + query)).toBe(URL_WITHOUT + query);
    }
  });
});
