import {
  RECOMMENDED,
  RECOMMENDED_FOR_JAVASCRIPT,
  STRICT_TYPE_CHECKED,
} from "./infra/lint/rules.js";

const services = [
  "api",
  "desk",
  "requirement-review",
  "order-lifecycle",
  "carrier-adapter",
  "sandbox-carrier",
  "platform-carrier",
  "webhook-sender",
  "event-log",
  "outbox-relay",
];

/** A folder's imports: what they may not name, and why. */
const forbid = (regex, message, options = {}) => ({
  "porting/boundary": ["error", { regex, message, ...options }],
});

const linesPerFunction = (max) => ["error", { max, skipComments: true, skipBlankLines: true }];

/** In a path; a folder of test/support may have the name of a service. */
const oneOf = (names) => `(?<!/test/support/)(?:${names.join("|")})`;

const anyService = oneOf(services);

/** A carrier integration knows countries and their numbers, and nothing of what the services do with orders. */
const NOT_GEOGRAPHY =
  "/domain/(?!countries/|terms/|number/rules/classify-number|carrier/read-carriers)";

/** A file has the rules of all that match it; where two set the same rule, the later one counts. */
export default {
  plugins: ["typescript"],
  jsPlugins: ["./infra/lint/own-rules.js"],
  categories: { correctness: "off" },
  options: { typeAware: true, maxWarnings: 0, reportUnusedDisableDirectives: "error" },
  ignorePatterns: [
    "/dist/",
    ".dist-*/",
    "node_modules/",
    ".data/",
    ".cache/",
    "services/messages/generated/",
    "packages/client/generated/",
  ],
  rules: RECOMMENDED,
  overrides: [
    {
      files: ["**/*.{ts,tsx}"],
      rules: {
        ...STRICT_TYPE_CHECKED,
        "typescript/switch-exhaustiveness-check": "error",
        "typescript/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
        "typescript/no-import-type-side-effects": "error",
        "no-duplicate-imports": ["error", { includeExports: true }],
        "max-lines": ["error", 400],
        "max-params": ["error", 4],
        "max-lines-per-function": linesPerFunction(80),
      },
    },
    {
      // Markup has many lines and little to follow.
      files: ["**/*.tsx"],
      rules: { "max-lines-per-function": linesPerFunction(100) },
    },
    {
      // Oxlint takes two names of one `export … from` for two exports.
      files: ["packages/client/porting-client.ts"],
      rules: { "no-duplicate-imports": "error" },
    },
    {
      files: ["test/**/*.ts", "**/*.test.ts"],
      rules: { "max-lines": ["error", 500], "max-lines-per-function": "off" },
    },
    {
      files: ["**/*.{js,mjs}"],
      globals: { process: "readonly", console: "readonly", AbortSignal: "readonly" },
      rules: RECOMMENDED_FOR_JAVASCRIPT,
    },
    {
      files: ["services/**/*.ts", "infra/**/*.ts"],
      rules: { "porting/no-path-in-string": "error" },
    },
    {
      files: ["services/**/*.ts", "infra/**/*.ts"],
      excludeFiles: ["services/platform/db/recordset*.ts"],
      rules: {
        "porting/no-many-parameters": "error",
        "porting/no-computed-parameters": "error",
      },
    },
    {
      files: ["services/domain/**/*.ts", ...services.map((name) => `services/${name}/**/*.ts`)],
      excludeFiles: ["**/store/**", "**/store.ts", "**/*.test.ts"],
      rules: { "porting/no-sql": "error" },
    },
    {
      files: ["services/platform/**/*.ts"],
      rules: forbid(`/(messages|domain|${anyService})/`, "platform/ knows nothing of porting"),
    },
    {
      files: ["services/messages/**/*.ts"],
      rules: forbid(`/(domain|${anyService})/`, "messages/ may import platform/ only"),
    },
    {
      files: ["services/domain/**/*.ts"],
      rules: forbid(`/(${anyService})/`, "domain/ imports no service"),
    },
    {
      files: ["services/domain/*/rules/**/*.ts", "services/domain/{countries/**,deadline}/*.ts"],
      excludeFiles: ["**/*.test.ts"],
      rules: forbid(
        `/(${anyService}|store|answers)/|/platform/(db|outbox|inbox|http|kafka|files|net)/|^(pg|typeorm|node:fs)`,
        "rules/ is pure: no database, no files, no network; what it needs is passed in",
      ),
    },
    {
      files: ["services/domain/countries/**/*.ts"],
      excludeFiles: ["**/*.test.ts"],
      rules: forbid(
        "^(node:|pg$|typeorm$)|^(\\.\\./)+[a-z-]+/",
        "countries/ is data: the other folders of domain/ import it, it imports none of them",
      ),
    },
    {
      files: ["services/domain/*/answers/**/*.ts"],
      rules: forbid(
        `/(${anyService})/|/platform/(db|outbox|inbox|kafka|files|net)/|^(pg|typeorm|node:fs)`,
        "answers/ turns what it is given into what HTTP shows",
      ),
    },
    {
      files: ["services/domain/*/store/**/*.ts"],
      rules: forbid(
        `/(${anyService}|answers)/|/platform/http/(?!paging)`,
        "store/ knows nothing of HTTP, and domain/ imports no service",
      ),
    },
    {
      // What a customer copies: it stands without the product, and without packages.
      files: ["packages/client/**/*.ts"],
      excludeFiles: ["**/*.test.ts"],
      rules: forbid(
        "^(\\.\\./)+(services|infra|packages|test|cli|ui|[a-z]+-page)/|^(?!\\.|node:)",
        "the client imports its own files and node: alone",
      ),
    },
    {
      // It sees the product as its customers do.
      files: ["packages/cli/**/*.ts"],
      excludeFiles: ["**/*.test.ts"],
      rules: forbid(
        "/services/|/test/|/ui/|-page/",
        "the command line imports the client, not the services",
      ),
    },
    {
      files: ["packages/{desk-page,portal-page,docs-page,ui}/**/*.{ts,tsx}"],
      excludeFiles: ["**/*.test.ts"],
      rules: forbid(
        `/(${anyService})/|/domain/(?![a-z-]+/rules/|countries/(?:country-code|number-type)\\.ts)|/platform/|-page/|/cli/|^node:`,
        "A page imports the types of answers, and pure rules; nothing that runs in a service.",
        { allowTypeImports: true },
      ),
    },
    ...services.map((service) => ({
      files: [`services/${service}/**/*.ts`],
      rules: forbid(
        `/${oneOf(services.filter((other) => other !== service))}/` +
          (service === "sandbox-carrier" || service === "platform-carrier"
            ? `|/platform/(db|outbox|inbox)/|${NOT_GEOGRAPHY}`
            : ""),
        "a service never imports another service",
      ),
    })),
  ],
};
