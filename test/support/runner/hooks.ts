import { registerHooks } from "node:module";

const GLOBALS = new URL("./globals.ts", import.meta.url).href;

/** The light runner imports a test file again with each run, under a query of its own. */
const QUERY = /\.test\.ts(\?\d+)$/;

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier !== "@jest/globals") return next(specifier, context);
    const [, query = ""] = QUERY.exec(context.parentURL ?? "") ?? [];
    return { url: GLOBALS + query, format: "module-typescript", shortCircuit: true };
  },
});

// A worker of a run that was ended does not go on alone.
process.once("disconnect", () => process.exit(1));
