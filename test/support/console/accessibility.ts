import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { z } from "zod";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const violations = z.array(
  z.object({
    id: z.string(),
    impact: z.string().nullable(),
    nodes: z.array(z.object({ html: z.string(), target: z.array(z.unknown()) })),
  }),
);

const GRAVE: ReadonlySet<string | null> = new Set(["serious", "critical"]);

/** Expects that axe finds nothing serious on the page, in its light and in its dark colours. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect({ colorScheme, faults: await graveFaults(page) }).toEqual({ colorScheme, faults: [] });
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

/** What axe finds to be serious or critical: its rule and the elements. */
async function graveFaults(page: Page): Promise<string[]> {
  // Evaluated by the debugger, whose scripts the page's policy does not concern. It stays until the page is left.
  const isThere: unknown = await page.evaluate(`"axe" in window`);
  if (isThere !== true) await page.evaluate(`${source};0`);
  const found: unknown = await page.evaluate(
    `axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)`,
  );
  return violations
    .parse(found)
    .filter(({ impact }) => GRAVE.has(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, target }) => `${id}: ${target.map(String).join(" ")} ${html}`),
    );
}

/** Expects that nothing is wider than the page, so that it scrolls in one direction alone. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const wider: unknown = await page.evaluate(
    `document.documentElement.scrollWidth - document.documentElement.clientWidth`,
  );
  expect(wider).toBe(0);
}
