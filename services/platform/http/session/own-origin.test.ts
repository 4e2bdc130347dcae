import { describe, expect, it } from "@jest/globals";
import { isOwnOrigin } from "./own-origin.ts";

const at = (publicUrl: string, host: string | undefined) => ({ publicUrl, host });
const UNSET = "";

describe("a service's own origin", () => {
  it.each([
    ["http://127.0.0.1:3001", at(UNSET, "127.0.0.1:3001")],
    ["http://localhost:3001", at(UNSET, "localhost:3001")],
    ["http://[::1]:3001", at(UNSET, "[::1]:3001")],
    ["https://desk.example.com", at(UNSET, "desk.example.com")],
    ["https://desk.example.com", at(UNSET, "DESK.example.com:443")],
    ["https://desk.example.com", at("https://desk.example.com", "10.0.0.7:3001")],
    ["https://desk.example.com", at("https://desk.example.com/", undefined)],
    ["http://127.0.0.1:3001", at("http://localhost:3001", "127.0.0.1:3001")],
    ["http://10.0.0.7:3001", at("http://localhost:3001", "10.0.0.7:3001")],
  ])("is %s", (origin, place) => {
    expect(isOwnOrigin(origin, place)).toBe(true);
  });

  it.each([
    [
      "another port of the host, which gets its cookies",
      "http://127.0.0.1:8080",
      at(UNSET, "127.0.0.1:3001"),
    ],
    ["another name of the machine", "http://localhost:3001", at(UNSET, "127.0.0.1:3001")],
    ["a foreign host", "https://evil.example", at(UNSET, "desk.example.com")],
    [
      "a host that begins alike",
      "https://desk.example.com.evil.example",
      at(UNSET, "desk.example.com"),
    ],
    ["a subdomain", "https://a.desk.example.com", at(UNSET, "desk.example.com")],
    ["the opaque origin of a sandboxed frame or a file", "null", at(UNSET, "desk.example.com")],
    ["nothing", "", at(UNSET, "desk.example.com")],
    ["a URL with a path", "https://desk.example.com/", at(UNSET, "desk.example.com")],
    ["a request without a host", "https://desk.example.com", at(UNSET, undefined)],
    [
      "the host, where the public URL is another",
      "http://10.0.0.7:3001",
      at("https://desk.example.com", "10.0.0.7:3001"),
    ],
    [
      "the public host without TLS",
      "http://desk.example.com",
      at("https://desk.example.com", "desk.example.com"),
    ],
    [
      "the public host at another port",
      "https://desk.example.com:8443",
      at("https://desk.example.com", "desk.example.com:8443"),
    ],
  ])("is not that of %s", (_, origin, place) => {
    expect(isOwnOrigin(origin, place)).toBe(false);
  });
});
