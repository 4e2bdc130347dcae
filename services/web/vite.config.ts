import { defineConfig } from "vite";

/** Where each entry is served: the desk at its root, portal and docs below a path of the customers' API. */
const BASES: Readonly<Record<string, string>> = { desk: "/", portal: "/portal/", docs: "/docs/" };

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
    rolldownOptions: {
      input: `${import.meta.dirname}/${mode}.html`,
      // Many small files compress worse than one, and every screen uses most of these.
      output: { codeSplitting: { groups: [{ name: "ui", test: /\/web\/ui\//u }] } },
    },
  },
}));
