import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import {
  decimal,
  durationMs,
  flag,
  integer,
  list,
  parseDuration,
  port,
  readEnv,
  url,
} from "./config.ts";

const schema = z.object({
  API_PORT: port(3000),
  DRAIN: durationMs("15s"),
  SANDBOX: flag(),
  BROKERS: list(["a:1"]),
  PUBLIC_URL: url().optional(),
  DATABASE_URL: url(["postgres"]),
  LIMIT: integer({ fallback: 5, max: 10 }),
  DAYS: decimal({ fallback: 1.5 }),
});

const DATABASE_URL = "postgres://u:p@h/d";

describe("readEnv", () => {
  it("uses defaults for absent or empty variables, and ignores unknown ones", () => {
    expect(readEnv(schema, { DATABASE_URL, API_PORT: "", HOME: "/" })).toEqual({
      API_PORT: 3000,
      DRAIN: 15_000,
      SANDBOX: false,
      BROKERS: ["a:1"],
      DATABASE_URL,
      LIMIT: 5,
      DAYS: 1.5,
    });
  });

  it("reads the given values", () => {
    const env = {
      DATABASE_URL,
      API_PORT: "0",
      DRAIN: "2h",
      SANDBOX: "true",
      BROKERS: " a:1, ,b:2 ",
      PUBLIC_URL: "https://x.example/",
      DAYS: "0.25",
    };
    expect(readEnv(schema, env)).toMatchObject({
      API_PORT: 0,
      DRAIN: 7_200_000,
      SANDBOX: true,
      BROKERS: ["a:1", "b:2"],
      PUBLIC_URL: "https://x.example",
      DAYS: 0.25,
    });
  });

  it("reports every problem at once, without values", () => {
    const env = {
      API_PORT: "70000",
      DRAIN: "s3cret",
      SANDBOX: "s3cret",
      PUBLIC_URL: "ftp://s3cret",
      LIMIT: "11",
      DAYS: "-s3cret",
    };
    const read = () => readEnv(schema, env);
    expect(read).toThrow(expect.objectContaining({ code: "invalid_config" }));
    expect(read).toThrow(
      "The configuration is not valid. API_PORT: expected at most 65535; " +
        "DRAIN: expected a duration such as 250ms, 15s, 5m, 2h or 30d; " +
        "SANDBOX: expected true or false; " +
        "PUBLIC_URL: expected a URL that begins with http:// or https://; " +
        "DATABASE_URL is required; LIMIT: expected at most 10; DAYS: expected a number.",
    );
  });
});

describe("parseDuration", () => {
  it.each([
    ["0s", 0],
    ["250ms", 250],
    ["15s", 15_000],
    ["5m", 300_000],
    ["2h", 7_200_000],
    ["30d", 2_592_000_000],
  ])("reads %s", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(["", "15", "s", "1.5s", "-1s", " 1s", "1s ", "1S", "1m30s", "99999999999999999h"])(
    "refuses %j",
    (text) => {
      expect(() => parseDuration(text)).toThrow(
        expect.objectContaining({ code: "invalid_config" }),
      );
    },
  );
});
