const base = {
  testEnvironment: "node",
  // Half of what zod loads are its messages in 50 languages, which nothing here asks for.
  moduleNameMapper: {
    "^\\.\\./locales/index\\.js$": "<rootDir>/node_modules/zod/v4/locales/en.js",
  },
  extensionsToTreatAsEsm: [".ts"],
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      {
        jsc: { target: "es2023", parser: { syntax: "typescript" }, keepClassNames: true },
        module: { type: "es6" },
        sourceMaps: "inline",
      },
    ],
  },
};

/** unit: beside the file, no I/O. The others run on the real Kafka, registry and Postgres. */
const onStack = (name, folder) => ({
  ...base,
  displayName: name,
  testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`],
  globalSetup: "<rootDir>/test/support/stack/global-setup.ts",
  globalTeardown: "<rootDir>/test/support/stack/global-teardown.ts",
  setupFilesAfterEnv: ["<rootDir>/test/support/lifetime/stack-test-file.ts"],
});

export default {
  testSequencer: "<rootDir>/test/slowest-first.js",
  workerIdleMemoryLimit: "1GB",
  // A busy machine takes longer than half a second to end a process with a large heap; what leaks is still reported.
  workerGracefulExitTimeout: 10_000,
  // Without it one core is left idle, which of two is half.
  maxWorkers: "100%",
  // Above the 60 s of a condition, and for property tests on a busy machine; what hangs is found all the same.
  testTimeout: 120_000,
  projects: [
    {
      ...base,
      displayName: "unit",
      testMatch: [
        "services",
        "infra",
        "packages",
        "test/faults",
        "test/bench",
        "test/model",
        "test/results",
        "test/vectors",
      ].map((folder) => `<rootDir>/${folder}/**/*.test.ts`),
    },
    {
      // What Helm makes of infra/kubernetes/chart; without a stack.
      ...base,
      displayName: "chart",
      testMatch: ["<rootDir>/test/kubernetes/**/*.test.ts"],
      globalSetup: "<rootDir>/test/support/kubernetes/install-chart-tools.ts",
      setupFilesAfterEnv: ["<rootDir>/test/support/lifetime/stack-test-file.ts"],
    },
    onStack("integration", "integration"),
    onStack("e2e", "e2e"),
    onStack("regressions", "regressions"),
    onStack("attacks", "attacks"),
  ],
};
