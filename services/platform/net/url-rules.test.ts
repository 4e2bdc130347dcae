import { describe, expect, it } from "@jest/globals";

import { comparableUrl, findUrlFault, hasWebHost, literalAddress } from "./url-rules.ts";

const strict = { allowHttp: false };

describe("a comparable URL", () => {
  it.each([
    ["http://h.example:8080", "http://h.example:8080/"],
    ["https://h.example:443/a", "https://h.example/a"],
    ["HTTPS://H.Example/A?b", "https://h.example/A?b"],
    ["https://h.example/a/../b", "https://h.example/b"],
  ])("is one for %s and %s", (given, parsed) => {
    expect(comparableUrl(given)).toBe(parsed);
    expect(comparableUrl(parsed)).toBe(parsed);
  });

  it.each(["https://h.example/a/", "https://h.example/A", "http://h.example/a"])(
    "is another for what receivers may tell apart: %s",
    (url) => expect(comparableUrl(url)).not.toBe(comparableUrl("https://h.example/a")),
  );
});

describe("the form of a URL", () => {
  it.each([
    "https://example.com/hooks?x=1",
    "https://example.com:443",
    "https://example.com:8443/",
    "https://münchen.example/",
    "HTTPS://example.com",
  ])("accepts %s", (url) => {
    expect(findUrlFault(url, strict)).toBeNull();
  });

  it.each([
    ["", "invalid_url"],
    ["/hooks", "invalid_url"],
    [" https://example.com", "invalid_url"],
    ["https://example.com/a b", "invalid_url"],
    ["https://exam\tple.com", "invalid_url"],
    ["https://example.com:99999/", "invalid_url"],
    ["https://", "invalid_url"],
    ["https:example.com", "invalid_url"],
    ["https:/example.com/hooks", "invalid_url"],
    ["https:///example.com/hooks", "invalid_url"],
    ["https:\\\\example.com", "invalid_url"],
    ["https://example.com\\@127.0.0.1/", "invalid_url"],
    ["http://example.com", "not_https"],
    ["ftp://example.com", "not_https"],
    ["https://user@example.com", "userinfo"],
    ["https://:secret@example.com", "userinfo"],
    ["https://example.com/#top", "fragment"],
    ["https://example.com/#", "fragment"],
    ["https://example.com:25/", "port"],
    ["https://example.com:80/", "port"],
    [`https://example.com/${"a".repeat(2_048)}`, "too_long"],
  ])("refuses %p as %s", (url, code) => {
    expect(findUrlFault(url, strict)?.code).toBe(code);
  });

  it("is limited in characters, as a reader counts them", () => {
    expect(findUrlFault(`https://example.com/${"😀".repeat(2_028)}`, strict)).toBeNull();
    expect(findUrlFault(`https://example.com/${"😀".repeat(2_029)}`, strict)?.code).toBe(
      "too_long",
    );
  });

  it("leaves a host to look at where only its rules are broken", () => {
    for (const url of ["http://h.example", "https://a@h.example/#b", "https://h.example:25"])
      expect([url, hasWebHost(url)]).toEqual([url, true]);
    for (const url of ["/hooks", "ftp://h.example", "http:///h.example"])
      expect([url, hasWebHost(url)]).toEqual([url, false]);
  });

  it("accepts http if allowed", () => {
    expect(findUrlFault("http://example.com:80/a", { allowHttp: true })).toBeNull();
    expect(findUrlFault("http://127.0.0.1:8080/a", { allowHttp: true })).toBeNull();
    expect(findUrlFault("http://example.com:22/a", { allowHttp: true })?.code).toBe("port");
  });

  it.each([
    ["https://2130706433/", "127.0.0.1"],
    ["https://0x7f.1/", "127.0.0.1"],
    ["https://017700000001/", "127.0.0.1"],
    ["https://[::ffff:127.0.0.1]/", "::ffff:7f00:1"],
    ["https://example.com/", null],
  ])("finds the address in %s", (url, address) => {
    expect(literalAddress(new URL(url).hostname)).toBe(address);
  });

  it.each(["::1", "fe80::1%eth0", "127.0.0.1"])(
    "recognizes %s, as a connector passes it",
    (host) => {
      expect(literalAddress(host)).toBe(host);
    },
  );
});
