import type { Browser } from "playwright-core";
import { chromium } from "playwright-core";
import { requireProgram } from "../programs/debian-program.ts";

/** Debian's Chromium without a window; whoever opens it closes it. */
export function openBrowser(): Promise<Browser> {
  // Root's Chromium has no sandbox; it reads the run's own pages alone.
  const args = ["--no-sandbox", "--disable-dev-shm-usage"];
  return chromium.launch({ executablePath: requireProgram("chromium"), args });
}
