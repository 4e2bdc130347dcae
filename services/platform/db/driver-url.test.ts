import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import pg from "pg";
import { driverUrl } from "./driver-url.ts";

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
