import { defineConfig } from "vite";

/** Where each entry is served: the desk at its root, portal and docs below a path of the customers' API. */
const BASES: Readonly<Record<string, string>> = { desk: "/", portal: "/portal/", docs: "/docs/" };

/** What all screens use, and what the lists share with the others, which are not to wait for the lists. */
const SHARED =
  /\/web\/(?:ui\/|desk\/(?:session\/|carriers\/queries|orders\/(?:order-words|list\/account-chip|next-step|queries|write\/writing-key)|reviews\/(?:queries|labels|queue\/(?:due-clock|filters|use-next-case))))/u;

/** Screens that are lists alike: small, and opened one after the other. */
const LISTS =
  /\/web\/desk\/(?:accounts|audit|carriers|dead-letters|numbers|operators|port-outs|team|webhooks)\//u;

const BROWSERS = ["chrome125", "firefox128", "safari17.5"];

/** `vite build --mode desk|portal|docs`: one entry, its files below `assets/` named by their content. */
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
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
      input: `${import.meta.dirname}/${mode}.html`,
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
