import type { Page } from "playwright-core";
import { eventually } from "../eventually.ts";

/** Waits until an expression is true in a page; playwright's own waiting needs `eval`, which the pages forbid. */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  await eventually(async () => {
    const is: unknown = await page.evaluate(expression);
    if (is !== true) throw new Error(`It is not so that ${expression}`);
  });
}
