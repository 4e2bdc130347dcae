import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

const services = [
  "api",
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
const forbid = (group, message) => ({
  "no-restricted-imports": ["error", { patterns: [{ regex: group, message }] }],
});

/** A path in a string is an import that nobody sees. */
const NO_PATH_IN_STRING = {
  selector: "NewExpression[callee.name='URL'] > Literal[value=/^\\.\\./]",
  message:
    "A folder of services/ never reaches into another by a path: import it, or take the folder from config.",
};

const SQL =
  "/^\\s*(select|insert into|update [a-z_]+\\.|delete from|with [a-z_]+ as|notify|listen) /";

/** SQL is read where it is kept: in store/. */
const NO_SQL = [`TemplateElement[value.raw=${SQL}]`, `Literal[value=${SQL}]`].map((selector) => ({
  selector,
  message: "SQL belongs in a store/ folder.",
}));

/** Nobody counts parameters: rows go into a statement as one, which names its columns. */
const NO_COUNTED_PARAMETERS = [
  ...["TemplateElement[value.raw=X]", "Literal[value=X]"].map((selector) => ({
    selector: selector.replace("X", "/\\$(1[1-9]|[2-9]\\d|\\d{3})/"),
    message: "A statement has at most ten parameters: give rows as one (platform/db/recordset.ts).",
  })),
  ...[
    "TemplateElement[tail=false][value.raw=/\\$$/]",
    "BinaryExpression[operator='+'] > Literal.left[value=/\\$$/]",
  ].map((selector) => ({
    selector,
    message:
      "A parameter's number is not computed: bind what is optional (platform/db/bound-values.ts).",
  })),
];

const anyService = services.join("|");

/** A carrier integration knows countries and their numbers, and nothing of what the services do with orders. */
const NOT_GEOGRAPHY = "/domain/(?!countries/|number/rules/(?:classify-number|port-date))";

export default tseslint.config(
  {
    ignores: [
      "dist/",
      ".dist-*/",
      "node_modules/",
      ".data/",
      ".cache/",
      "services/messages/generated/",
      "packages/client/generated/",
    ],
  },
  eslint.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/no-import-type-side-effects": "error",
      "no-duplicate-imports": ["error", { includeExports: true }],
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "max-lines": ["error", 300],
      "max-params": ["error", 3],
      "max-lines-per-function": ["error", { max: 50, skipComments: true, skipBlankLines: true }],
    },
  },
  {
    // Markup has many lines and little to follow.
    files: ["**/*.tsx"],
    rules: {
      "max-lines-per-function": ["error", { max: 90, skipComments: true, skipBlankLines: true }],
    },
  },
  {
    files: ["**/*.mjs", "**/*.js"],
    languageOptions: { globals: { process: "readonly", console: "readonly" } },
  },
  {
    files: ["services/**/*.ts", "infra/**/*.ts"],
    rules: { "no-restricted-syntax": ["error", NO_PATH_IN_STRING, ...NO_COUNTED_PARAMETERS] },
  },
  {
    files: ["services/platform/db/{bound-values,column-arrays,recordset}*.ts"],
    rules: { "no-restricted-syntax": ["error", NO_PATH_IN_STRING] },
  },
  {
    files: ["services/domain/**/*.ts", ...services.map((service) => `services/${service}/**/*.ts`)],
    ignores: ["**/store/**", "**/*.test.ts"],
    rules: {
      "no-restricted-syntax": ["error", NO_PATH_IN_STRING, ...NO_COUNTED_PARAMETERS, ...NO_SQL],
    },
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
    ignores: ["**/*.test.ts"],
    rules: forbid(
      `/(${anyService}|store|answers)/|/platform/(db|outbox|inbox|http|kafka|files|net)/|^(pg|typeorm|node:fs)`,
      "rules/ is pure: no database, no files, no network; what it needs is passed in",
    ),
  },
  {
    files: ["services/domain/countries/**/*.ts"],
    ignores: ["**/*.test.ts"],
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
    ignores: ["**/*.test.ts"],
    rules: forbid(
      "^(\\.\\./)+(services|infra|packages|test|cli)/|^(?!\\.|node:)",
      "the client imports its own files and node: alone",
    ),
  },
  {
    // It sees the product as its customers do.
    files: ["packages/cli/**/*.ts"],
    ignores: ["**/*.test.ts"],
    rules: forbid("/services/|/test/", "the command line imports the client, not the services"),
  },
  {
    files: ["services/web/**/*.{ts,tsx}"],
    ignores: ["**/*.test.ts"],
    rules: {
      "@typescript-eslint/no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: `/(${anyService})/|/domain/(?![a-z-]+/rules/)|/platform/|^node:`,
              allowTypeImports: true,
              message:
                "A page imports the types of answers, and pure rules; nothing that runs in a service.",
            },
          ],
        },
      ],
    },
  },
  ...services.map((service) => ({
    files: [`services/${service}/**/*.ts`],
    rules: forbid(
      `/(${services.filter((other) => other !== service).join("|")})/` +
        (service === "sandbox-carrier" || service === "platform-carrier"
          ? `|/platform/(db|outbox|inbox)/|${NOT_GEOGRAPHY}`
          : ""),
      "a service never imports another service",
    ),
  })),
  {
    files: ["test/**/*.ts", "**/*.test.ts"],
    rules: {
      "max-lines-per-function": "off",
      "@typescript-eslint/no-non-null-assertion": "error",
    },
  },
);
