import { join } from "node:path";
import { defineConfig } from "vite";
import { projectRoot } from "../project-root.ts";

/** Where each page is served: the desk at its root, portal and docs below a path of the customers' API. */
const BASES: Readonly<Record<string, string>> = { desk: "/", portal: "/portal/", docs: "/docs/" };

/** What all screens use, and what the lists share with the others, which are not to wait for the lists. */
const SHARED =
  /\/packages\/(?:ui\/(?!(?:webhooks|port-outs)\/)|desk-page\/(?:adding|session|views\/(?:saved-)?views|carriers\/carriers|orders\/orders|reviews\/(?:reviews|queue\/(?:filters|next-case)))\.)/u;

/** Screens that are lists alike: small, and opened one after the other. */
const LISTS =
  /\/packages\/(?:desk-page\/(?:accounts|audit|carriers|dead-letters|numbers|operators|port-outs|team|webhooks)|ui\/(?:webhooks|port-outs))\//u;

function pageFolder(page: string): string {
  return join(projectRoot, "packages", `${page}-page`);
}

const BROWSERS = ["chrome125", "firefox128", "safari17.5"];

/** `vite build --mode desk|portal|docs`: one page, its files below `assets/` named by their content. */
export default defineConfig(({ mode }) => ({
  root: pageFolder(mode),
  base: BASES[mode] ?? "/",
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  build: {
    target: BROWSERS,
    cssTarget: BROWSERS,
    emptyOutDir: true,
    // A data: URL would need a hole in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The texts that the licences of what is built in ask for.
    license: { fileName: "licenses.md" },
    rolldownOptions: {
      input: join(pageFolder(mode), `${mode}.html`),
      // Many small files compress worse than one.
      output: {
        codeSplitting: {
          groups: [
            { name: "ui", test: SHARED },
            { name: "lists", test: LISTS },
          ],
        },
      },
    },
  },
}));
