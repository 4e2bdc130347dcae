import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

const services = [
  "api",
  "requirement-review",
  "order-lifecycle",
  "carrier-adapter",
  "sandbox-carrier",
  "webhook-sender",
  "event-log",
  "outbox-relay",
];

/** Imports go one way: service -> domain -> messages, platform; never service -> service. */
const forbid = (group, message) => ({
  "no-restricted-imports": ["error", { patterns: [{ regex: group, message }] }],
});

const anyService = services.join("|");

export default tseslint.config(
  {
    ignores: [
      "dist/",
      ".dist-*/",
      "node_modules/",
      ".data/",
      ".cache/",
      "services/messages/generated/",
    ],
  },
  eslint.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "max-lines": ["error", 300],
      "max-params": ["error", 3],
      "max-lines-per-function": ["error", { max: 50, skipComments: true, skipBlankLines: true }],
    },
  },
  {
    files: ["**/*.mjs", "**/*.js"],
    languageOptions: { globals: { process: "readonly", console: "readonly" } },
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
    ignores: [
      "services/domain/**/*-store.ts",
      "services/domain/**/*-entity.ts",
      "services/domain/migrations/**",
      "**/*.test.ts",
    ],
    rules: forbid(
      `/(${anyService})/|/platform/(db|outbox|inbox|http|kafka)/|^(pg|typeorm)$`,
      "domain/ is pure; only *-store.ts may touch the database",
    ),
  },
  {
    files: ["services/domain/**/*-store.ts", "services/domain/migrations/**/*.ts"],
    rules: forbid(`/(${anyService})/|/platform/http/(?!paging)`, "domain/ imports no service"),
  },
  ...services.map((service) => ({
    files: [`services/${service}/**/*.ts`],
    rules: forbid(
      `/(${services.filter((other) => other !== service).join("|")})/` +
        (service === "sandbox-carrier" ? "|/platform/(db|outbox|inbox)/|/domain/" : ""),
      "a service never imports another service",
    ),
  })),
  {
    files: ["test/**/*.ts", "**/*.test.ts"],
    rules: {
      "max-lines": ["error", 400],
      "max-lines-per-function": "off",
      "@typescript-eslint/no-non-null-assertion": "error",
    },
  },
);
