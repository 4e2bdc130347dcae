import { describe, expect, it } from "@jest/globals";

import { createAddressPolicy } from "./address-policy.ts";

const strict = createAddressPolicy([]);

describe("the address policy", () => {
  it.each([
    "8.8.8.8",
    "1.1.1.1",
    "172.32.0.1",
    "2606:4700::1111",
    "2a00:1450::1",
    "::ffff:8.8.8.8",
  ])("allows the public address %s", (address) => {
    expect(strict.refusal(address)).toBeNull();
  });

  it.each([
    ["127.0.0.1", "loopback"],
    ["::1", "loopback"],
    ["::ffff:127.0.0.1", "loopback"],
    ["::ffff:7f00:1", "loopback"],
    ["10.1.2.3", "private"],
    ["172.16.0.1", "private"],
    ["192.168.1.1", "private"],
    ["100.64.0.1", "private"],
    ["fd00::1", "private"],
    ["169.254.169.254", "link_local"],
    ["fe80::1", "link_local"],
    ["fe80::1%eth0", "link_local"],
    ["224.0.0.1", "multicast"],
    ["ff02::1", "multicast"],
    ["0.0.0.0", "reserved"],
    ["::", "reserved"],
    ["255.255.255.255", "reserved"],
    ["192.0.2.1", "reserved"],
    ["64:ff9b::a00:1", "reserved"],
    ["64:ff9b::808:808", "reserved"],
    ["2002:a00:1::", "reserved"],
    ["2001:0:4136:e378:8000:63bf:3fff:fdd2", "reserved"],
    ["2001:db8::1", "reserved"],
    ["3fff::1", "reserved"],
    ["5f00::1", "reserved"],
    ["not an address", "reserved"],
    ["", "reserved"],
  ])("refuses %s as %s", (address, reason) => {
    expect(strict.refusal(address)).toBe(reason);
  });

  it("allows configured ranges, in both notations, and nothing else", () => {
    const policy = createAddressPolicy(["127.0.0.0/8", "fd00::/8"]);
    expect(policy.refusal("127.0.0.1")).toBeNull();
    expect(policy.refusal("::ffff:127.0.0.1")).toBeNull();
    expect(policy.refusal("fd12::1")).toBeNull();
    expect(policy.refusal("::1")).toBe("loopback");
    expect(policy.refusal("10.0.0.1")).toBe("private");
  });

  it("refuses this machine's own public addresses unless they are allowed", () => {
    const own = ["93.184.216.34", "2a00:1450::1"];
    expect(createAddressPolicy([], own).refusal("93.184.216.34")).toBe("reserved");
    expect(createAddressPolicy([], own).refusal("::ffff:93.184.216.34")).toBe("reserved");
    expect(createAddressPolicy([], own).refusal("2a00:1450:0::1")).toBe("reserved");
    expect(createAddressPolicy([], own).refusal("93.184.216.35")).toBeNull();
    expect(createAddressPolicy(["93.184.216.34/32"], own).refusal("93.184.216.34")).toBeNull();
  });

  it("refuses an invalid range", () => {
    expect(() => createAddressPolicy(["10.0.0.0"])).toThrow("10.0.0.0");
  });
});
