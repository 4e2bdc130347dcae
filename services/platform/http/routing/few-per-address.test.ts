import { describe, expect, it } from "@jest/globals";
import { fewPerAddress } from "./few-per-address.ts";

describe("what an address may ask for without a key", () => {
  it("is refused above its limit, for that address alone, until a minute after its first request", () => {
    let now = 1_000;
    const count = fewPerAddress(2, () => now);
    count("192.0.2.1");
    now += 50_000;
    count("192.0.2.1");
    expect(() => count("::ffff:192.0.2.1")).toThrow(
      expect.objectContaining({ code: "rate_limited", headers: { "Retry-After": "60" } }),
    );
    expect(() => count("192.0.2.2")).not.toThrow();
    now += 11_000;
    expect(() => count("192.0.2.1")).not.toThrow();
  });
});
