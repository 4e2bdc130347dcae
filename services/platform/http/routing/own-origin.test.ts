import { describe, expect, it } from "@jest/globals";
import { isOwnOrigin } from "./own-origin.ts";

describe("isOwnOrigin", () => {
  it.each([
    [
      "the host that the request names",
      { origin: "https://API.example.com", host: "api.example.com" },
    ],
    ["that host with its port", { origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" }],
    ["the public URL behind a proxy", { origin: "https://porting.example", host: "internal:3000" }],
  ])("accepts %s", (_, headers) => {
    expect(isOwnOrigin(headers, "https://porting.example/base")).toBe(true);
  });

  it.each([
    ["another host", { origin: "https://evil.example", host: "api.example.com" }],
    ["another port", { origin: "http://127.0.0.1:3001", host: "127.0.0.1:3000" }],
    ["a page without an origin", { origin: "null", host: "api.example.com" }],
    ["no Origin", { host: "api.example.com" }],
    ["a longer name", { origin: "https://api.example.com.evil.example", host: "api.example.com" }],
  ])("refuses %s", (_, headers) => {
    expect(isOwnOrigin(headers, "https://porting.example")).toBe(false);
  });
});
