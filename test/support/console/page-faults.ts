import type { BrowserContext, ConsoleMessage, Page } from "playwright-core";

export interface PageFaults {
  /** What no page of ours may do, in words; empty where all is well. */
  found(): readonly string[];
}

/** Runs in the page before its own code. */
const REPORT_VIOLATIONS = `addEventListener("securitypolicyviolation", (event) => {
  const { violatedDirective, blockedURI, sourceFile, lineNumber, sample } = event;
  reportViolation(\`violates \${violatedDirective}: \${blockedURI} at \${sourceFile}:\${lineNumber} \${sample}\`);
})`;

/** A refusal is part of many tests, and the browser logs each as an error. */
const REFUSED = /^Failed to load resource: /;

/**
 * Records what violates the content security policy, requests to other hosts than those of `origins`, and errors, on
 * every page of a context.
 */
export async function recordFaults(
  context: BrowserContext,
  origins: readonly string[],
): Promise<PageFaults> {
  const faults: string[] = [];
  await context.exposeBinding("reportViolation", (_source, text: string) => {
    faults.push(text);
  });
  await context.addInitScript({ content: REPORT_VIOLATIONS });
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "blob:" && !origins.includes(origin)) {
      faults.push(`asks another host: ${request.url()}`);
    }
  });
  const watch = (page: Page): void => {
    page.on("pageerror", (error) => faults.push(`throws ${String(error)}`));
    page.on("console", (message) => {
      if (isError(message)) faults.push(`logs ${message.text()}`);
    });
  };
  context.on("page", watch);
  return { found: () => faults };
}

function isError(message: ConsoleMessage): boolean {
  return message.type() === "error" && !REFUSED.test(message.text());
}
