import { beforeAll, describe, expect, it } from "@jest/globals";
import { NoSlot } from "../../../services/platform/fair-slots.ts";
import { createNameResolver } from "../../../services/platform/net/name-resolver.ts";
import { startNameServer, type NameServer } from "../../support/net/name-server.ts";

const LOOKUP_MS = 4_000;

let server: NameServer;

beforeAll(async () => {
  server = await startNameServer({ "hooks.example": "192.0.2.7" });
});

const resolver = () => createNameResolver({ servers: [server.address] });

describe("the name resolver", () => {
  it("gives the addresses that the name servers have", async () => {
    const found = await resolver()("Hooks.Example.", "account");
    expect(found).toEqual([{ address: "192.0.2.7", family: 4 }]);
  });

  it("honours the hosts file", async () => {
    const found = await resolver()("localhost", "account");
    expect(found).toContainEqual({ address: "127.0.0.1", family: 4 });
    expect(server.asked).not.toContain("localhost");
  });

  it("says that there is no such name", async () => {
    await expect(resolver()("nowhere.example", "account")).rejects.toHaveProperty(
      "code",
      "ENOTFOUND",
    );
  });

  it("gives up on a silent name after 4 s, and remembers that", async () => {
    const resolve = resolver();
    const startedAt = performance.now();
    const name = "one.silent.example";
    await expect(resolve(name, "account")).rejects.toHaveProperty("code", "ETIMEOUT");
    const tookMs = performance.now() - startedAt;
    expect(tookMs).toBeGreaterThan(LOOKUP_MS - 100);
    expect(tookMs).toBeLessThan(LOOKUP_MS + 2_000);
    const askedBefore = server.asked.length;
    await expect(resolve(name, "other")).rejects.toHaveProperty("code", "ETIMEOUT");
    expect(server.asked).toHaveLength(askedBefore);
  });

  it("asks once for a name that several wait for", async () => {
    const resolve = resolver();
    const before = server.asked.filter((name) => name === "hooks.example").length;
    await Promise.all(["a", "b", "c"].map((owner) => resolve("hooks.example", owner)));
    const after = server.asked.filter((name) => name === "hooks.example").length;
    // An A and an AAAA record.
    expect(after - before).toBe(2);
  });

  it("holds one account's silent names to their share, and reports which never began", async () => {
    const resolve = resolver();
    const flood = Array.from({ length: 40 }, (_, n) =>
      resolve(`n${n}.silent.example`, "hostile").catch((error: unknown) => error),
    );
    const startedAt = performance.now();
    await resolve("hooks.example", "victim");
    expect(performance.now() - startedAt).toBeLessThan(500);
    const ends = await Promise.all(flood);
    const notBegun = ends.filter((end) => end instanceof NoSlot).length;
    // Eight at a time for 4 s each, and nobody waits longer than 5 s.
    expect(notBegun).toBe(40 - 2 * 8);
  });
});
