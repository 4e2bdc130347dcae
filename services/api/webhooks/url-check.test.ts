import { describe, expect, it } from "@jest/globals";

import { createAddressPolicy } from "../../platform/net/address-policy.ts";
import { prepareFor } from "../../platform/http/routing/preparing.ts";
import { createUrlCheck } from "./url-check.ts";
import type { Resolve } from "../../platform/net/name-resolver.ts";

const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  "public.example": ["93.184.216.34", "2606:2800:220:1::1"],
  "private.example": ["10.0.0.7"],
  "mixed.example": ["93.184.216.34", "127.0.0.1"],
};

const resolve: Resolve = (hostname) => {
  const addresses = (ANSWERS[hostname] ?? []).map((address) => ({
    address,
    family: address.includes(":") ? 6 : 4,
  }));
  const missing = Object.assign(new Error("not found"), { code: "ENOTFOUND" });
  return addresses.length === 0 ? Promise.reject(missing) : Promise.resolve(addresses);
};

const checkUrl = createUrlCheck({ policy: createAddressPolicy([]), allowHttp: false, resolve });
const check = (url: string, pointer: string): Promise<void> =>
  checkUrl(prepareFor("account"), url, pointer);

describe("the webhook URL check", () => {
  it("accepts a public host", async () => {
    await expect(check("https://public.example/hook", "#/url")).resolves.toBeUndefined();
  });

  it.each([
    ["https://private.example/", "blocked_address"],
    ["https://mixed.example/", "blocked_address"],
    ["https://127.0.0.1/", "blocked_address"],
    ["https://2130706433/", "blocked_address"],
    ["https://[::ffff:10.0.0.1]/", "blocked_address"],
    ["https://169.254.169.254/latest", "blocked_address"],
    ["https://nowhere.example/", "unresolvable"],
    ["http://public.example/", "not_https"],
    ["https://a:b@public.example/", "userinfo"],
  ])("blocks %s as %s", async (url, code) => {
    await expect(check(url, "#/url")).rejects.toMatchObject({
      code: "webhook_url_blocked",
      faults: [{ pointer: "#/url", code }],
    });
  });

  it("reports the form and the host at once", async () => {
    for (const url of ["http://127.0.0.1:9000/hook", "http://private.example/"]) {
      await expect(check(url, "#/url")).rejects.toMatchObject({
        code: "webhook_url_blocked",
        message: expect.stringMatching(/https:\/\/.*public addresses/),
        faults: [{ code: "not_https" }, { code: "blocked_address" }],
      });
    }
    await expect(check("ftp://127.0.0.1/", "#/url")).rejects.toMatchObject({
      faults: [{ code: "not_https" }],
    });
  });

  it("reveals no address", async () => {
    await expect(check("https://private.example/", "#/url")).rejects.not.toMatchObject({
      message: expect.stringContaining("10.0.0.7"),
    });
  });

  it.each([
    "hooks",
    "https://public.example/a\r\nHost: other",
    "https://public\t.example/",
    "https://public.example/a\nb",
  ])("calls %j invalid", async (text) => {
    await expect(check(text, "#/webhook_url")).rejects.toMatchObject({
      code: "validation_failed",
      faults: [{ pointer: "#/webhook_url", code: "invalid_url" }],
    });
  });
});
