/** @tier all @needs chromium */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { expectAccessible, expectNoSidewaysScroll } from "../../support/console/accessibility.ts";
import { openConsoleDesk, type ConsoleDesk } from "../../support/console/console-desk.ts";
import { inConsole, NARROW, WIDE } from "../../support/console/in-console.ts";
import { intercept } from "../../support/console/intercept.ts";
import { signIn } from "../../support/console/sign-in.ts";
import { eventually } from "../../support/eventually.ts";

let desk: ConsoleDesk;

beforeAll(async () => {
  desk = await openConsoleDesk();
});

async function sessionCookie(page: Page) {
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name === "__Host-desk");
}

describe("signing in", () => {
  it("shows the page that was asked for, and signs out", async () => {
    await inConsole({ ...desk, path: "/reviews?view=all" }, async (page) => {
      await signIn(page, desk.deskToken);
      await page.getByRole("heading", { name: "Reviews", level: 1 }).waitFor();
      expect(new URL(page.url()).search).toBe("?view=all");
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByLabel("Token").waitFor();
      await page.reload();
      await page.getByLabel("Token").waitFor();
    });
  });

  it("stays signed in, and says so, where signing out fails", async () => {
    await inConsole({ ...desk, token: desk.deskToken }, async (page) => {
      await page.getByRole("heading", { name: "Reviews", level: 1 }).waitFor();
      await intercept(page, "**/desk/v1/session", (route) => route.abort());
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByText("The service cannot be reached.").first().waitFor();
      expect(await page.getByRole("button", { name: "Sign out" }).isVisible()).toBe(true);
    });
  });

  it("refuses a wrong token in words, and signs nobody in", async () => {
    await inConsole({ ...desk }, async (page) => {
      await page.getByLabel("Token").fill("nps_desk_wrong");
      await page.getByRole("button", { name: "Sign in" }).click();
      const field = page.getByLabel("Token");
      await page.locator("#root [aria-invalid=true]").waitFor();
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      await page.getByText("This token is not known, or it was revoked.").waitFor();
      expect(await sessionCookie(page)).toBeUndefined();
    });
  });

  it("keeps the session in a cookie that no script reads and no other site sends", async () => {
    await inConsole({ ...desk, token: desk.deskToken }, async (page) => {
      expect(await sessionCookie(page)).toMatchObject({
        httpOnly: true,
        secure: true,
        sameSite: "Strict",
        path: "/",
      });
      expect(await page.evaluate("document.cookie")).toBe("");
    });
  });

  it.each([
    ["light", WIDE],
    ["dark", NARROW],
  ] as const)("is accessible in %s colours", async (colorScheme, viewport) => {
    await inConsole({ ...desk, viewport, colorScheme }, async (page) => {
      await page.getByLabel("Token").waitFor();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    });
  });
});

describe("a session", () => {
  it("commands nothing for a page elsewhere, nor without its CSRF token", async () => {
    await inConsole({ ...desk, token: desk.deskToken }, async (page) => {
      const cookie = await sessionCookie(page);
      const Cookie = `__Host-desk=${cookie?.value ?? ""}`;
      const me = await fetch(`${desk.deskUrl}/desk/v1/me`, { headers: { Cookie } });
      const { csrf } = (await me.json()) as { csrf: string };
      const post = async (headers: Record<string, string>): Promise<number> => {
        const sent = { Cookie, "Content-Type": "application/json", ...headers };
        const url = `${desk.deskUrl}/desk/v1/reviews/next`;
        // No account: its queue is empty.
        const body = JSON.stringify({ account_id: crypto.randomUUID() });
        return (await fetch(url, { method: "POST", headers: sent, body })).status;
      };
      const own = desk.deskUrl;
      expect(await post({ Origin: "https://evil.example", "Desk-CSRF": csrf })).toBe(403);
      expect(await post({ Origin: own })).toBe(403);
      expect(await post({ Origin: own, "Desk-CSRF": "x" })).toBe(403);
      expect(await post({ Origin: own, "Desk-CSRF": csrf })).toBe(404);
    });
  });

  it("ends with its token: the page asks to sign in again and comes back", async () => {
    const { id, token } = await desk.newOperator("Grace Hopper", "reviewer");
    await inConsole({ ...desk, token, path: "/reviews?view=all" }, async (page) => {
      await page.getByRole("heading", { name: "Reviews", level: 1 }).waitFor();
      const { body } = await desk.desk("GET", "/operators?limit=250");
      const operators = body?.["data"] as readonly {
        readonly id: string;
        readonly tokens: readonly { readonly id: string }[];
      }[];
      const grace = operators.find((one) => one.id === id);
      const path = `/operators/${id}/tokens/${grace?.tokens[0]?.id ?? ""}`;
      expect((await desk.desk("DELETE", path)).status).toBeLessThan(300);
      await page.getByLabel("Token").waitFor();
      expect(new URL(page.url()).pathname).toBe("/reviews");
      await signIn(page, desk.deskToken);
      await page.getByRole("heading", { name: "Reviews", level: 1 }).waitFor();
    });
  });
});

describe("a viewer", () => {
  it("reads cases without a button that decides, and is refused by the service", async () => {
    const orderId = await desk.newCase();
    const { token } = await desk.newOperator("Vera Viewer", "viewer");
    await inConsole({ ...desk, token, path: desk.queue() }, async (page) => {
      await page.getByRole("table", { name: "Review cases" }).waitFor();
      expect(await page.getByRole("button", { name: "Next case" }).count()).toBe(0);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Account number" }).waitFor();
      for (const name of [/^Approve/, /^Reject/, "Claim", "Release", /^Skip/, /^Send/]) {
        expect(await page.getByRole("button", { name }).count()).toBe(0);
      }
      await page.keyboard.press("a");
      await page.keyboard.press("r");
      expect(await page.getByRole("dialog").count()).toBe(0);
      expect(await page.getByText("not sent").count()).toBe(0);
      const { body } = await desk.desk("GET", `/reviews/${orderId}`);
      expect(body?.["claimed_by"]).toBeNull();
      const status: unknown = await page.evaluate(
        `fetch("/desk/v1/me").then((me) => me.json()).then(({ csrf }) =>
          fetch("/desk/v1/reviews/${orderId}/claim", { method: "POST", body: "{}", headers: {
            "Content-Type": "application/json", "Desk-CSRF": csrf } })).then(({ status }) => status)`,
      );
      expect(status).toBe(403);
    });
    await eventually(async () => {
      const { body } = await desk.desk("GET", `/reviews/${orderId}`);
      expect(body?.["state"]).toBe("open");
    });
  });
});

describe("a browser that several people use", () => {
  it("leaves no draft of one person to the next at the same browser", async () => {
    const orderId = await desk.newCase();
    const { token: anns } = await desk.newOperator("Ann Reed", "reviewer");
    const { token: bobs } = await desk.newOperator("Bob Miller", "reviewer");
    await inConsole({ ...desk, token: anns, path: `/reviews/${orderId}` }, async (page) => {
      const note = page.getByLabel("Internal note");
      const next = async (token: string): Promise<string> => {
        await page.getByRole("button", { name: "Sign out" }).click();
        await signIn(page, token);
        return note.inputValue();
      };
      await note.fill("Ann was here");
      expect(await next(anns)).toBe("Ann was here");
      expect(await next(bobs)).toBe("");
    });
  });
});
