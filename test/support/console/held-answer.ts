import type { Page, Route } from "playwright-core";
import { eventually } from "../eventually.ts";
import { intercept } from "./intercept.ts";

/** Requests of a page that wait for the test, as on a slow connection. */
export interface HeldAnswer {
  /** Waits until the page has asked. */
  asked(): Promise<void>;
  /** Lets what was asked, and what will be, pass. */
  pass(): Promise<void>;
  /** Loses what was asked on its way to the service; what will be passes. */
  lose(): Promise<void>;
  /** Lets what was asked reach the service, and loses the answers; what will be passes. */
  loseAnswers(): Promise<void>;
}

/** Holds what an open page asks for at a URL by a method. */
export async function holdAnswer(page: Page, method: string, url: string): Promise<HeldAnswer> {
  const held: Route[] = [];
  let isHeld = true;
  await intercept(page, url, (route) => {
    if (!isHeld || route.request().method() !== method) return route.fallback();
    held.push(route);
  });
  const asked = async (): Promise<void> => {
    await eventually(() => {
      if (held.length === 0) throw new Error(`the page has not asked for ${method} ${url}`);
    });
  };
  const settle = async (how: (route: Route) => Promise<void>): Promise<void> => {
    await asked();
    isHeld = false;
    await Promise.all(held.map(how));
  };
  return {
    asked,
    pass: () => settle((route) => route.continue()),
    lose: () => settle((route) => route.abort()),
    loseAnswers: () =>
      settle(async (route) => {
        await route.fetch();
        await route.abort();
      }),
  };
}
