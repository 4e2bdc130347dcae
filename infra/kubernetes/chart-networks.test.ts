import { describe, expect, it } from "@jest/globals";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { documentsOf } from "../../test/support/kubernetes/chart-files.ts";
import { createAddressPolicy } from "../../services/platform/net/address-policy.ts";

const range = z.strictObject({ cidr: z.string(), except: z.array(z.string()) });
const [document] = documentsOf("chart", "files", "networks.yaml");
const ranges = z.array(range).parse(document);
const policy = createAddressPolicy([], []);

function isIn(address: string, cidr: string): boolean {
  const parsed = ipaddr.parse(address);
  const [network, bits] = ipaddr.parseCIDR(cidr);
  return parsed.kind() === network.kind() && parsed.match(network, bits);
}

/** Whether the NetworkPolicy lets a webhook go to an address. */
function isAllowed(address: string): boolean {
  return ranges.some(
    ({ cidr, except }) => isIn(address, cidr) && !except.some((one) => isIn(address, one)),
  );
}

/** The first and last address of a range, and those next to it. */
function edgesOf(cidr: string): string[] {
  const isSix = cidr.includes(":");
  const size = isSix ? 128n : 32n;
  const bytes = ipaddr.parseCIDR(cidr)[0].toByteArray();
  const first = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const last = first + (1n << (size - BigInt(cidr.split("/")[1] ?? "0"))) - 1n;
  const all = [first - 1n, first, last, last + 1n];
  return all
    .filter((at) => at >= 0n && at < 1n << size)
    .map((at) => addressOf(at, Number(size) / 8));
}

function addressOf(value: bigint, length: number): string {
  const bytes = Array.from({ length }, (_, index) =>
    Number((value >> BigInt(8 * (length - 1 - index))) & 255n),
  );
  return ipaddr.fromByteArray(bytes).toString();
}

describe("where webhooks may go by the NetworkPolicy", () => {
  it("is where the sender lets them go, at the edges of every range", () => {
    const all = ranges.flatMap(({ cidr, except }) => [cidr, ...except]);
    const edges = all.flatMap(edgesOf);
    expect(edges.length).toBeGreaterThan(60);
    for (const address of edges) {
      expect([address, isAllowed(address)]).toEqual([address, policy.refusal(address) === null]);
    }
  });

  it.each([
    ["10.96.0.1", false],
    ["169.254.169.254", false],
    ["fd00::1", false],
    ["64:ff9b::a00:1", false],
    ["1.1.1.1", true],
    ["2606:4700::1111", true],
  ])("decides on %s", (address, expected) => {
    expect([isAllowed(address), policy.refusal(address) === null]).toEqual([expected, expected]);
  });

  it("excludes only what lies within each range, as the API demands", () => {
    for (const { cidr, except } of ranges) {
      const bits = Number(cidr.split("/")[1]);
      for (const one of except) {
        expect([one, isIn(one.split("/")[0] ?? "", cidr)]).toEqual([one, true]);
        expect(Number(one.split("/")[1])).toBeGreaterThan(bits);
      }
    }
  });
});
