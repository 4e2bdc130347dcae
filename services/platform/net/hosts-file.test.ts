import { describe, expect, it } from "@jest/globals";
import { parseHosts } from "./name-resolver.ts";

const TEXT = `# the machine
127.0.0.1\tlocalhost loop # more of it
::1  localhost ip6-localhost
10.0.0.7 Hooks.Example.
not-an-address nowhere
# 10.0.0.8 commented.example
`;

describe("a hosts file", () => {
  it("gives each name its addresses, in any case", () => {
    const hosts = parseHosts(TEXT);
    expect(hosts.get("localhost")).toEqual([
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 },
    ]);
    expect(hosts.get("loop")).toEqual([{ address: "127.0.0.1", family: 4 }]);
    expect(hosts.get("hooks.example.")).toEqual([{ address: "10.0.0.7", family: 4 }]);
  });

  it("has no names from comments and from lines without an address", () => {
    const hosts = parseHosts(TEXT);
    for (const name of ["commented.example", "nowhere", "more", "#"]) {
      expect(hosts.has(name)).toBe(false);
    }
  });
});
