const base = {
  // Jest keeps here how long each file took, and orders the next run by it.
  cacheDirectory: "<rootDir>/.cache/jest",
  testEnvironment: "node",
  // Node strips the types itself; no file has a global environment of its own.
  transform: {},
  extensionsToTreatAsEsm: [".ts"],
  setupFiles: ["<rootDir>/test/support/runner/hooks.ts"],
};

const RUNNER = "<rootDir>/test/support/runner/light-runner.mjs";
const inProcess = { runner: [RUNNER, { runtime: "child_process" }] };

export default {
  // Without it one core is left idle, which of two is half.
  maxWorkers: "100%",
  testSequencer: "<rootDir>/test/support/runner/programs-first.mjs",
  projects: [
    {
      // Beside the file, no I/O.
      ...base,
      runner: RUNNER,
      displayName: "unit",
      testMatch: [
        "services",
        "infra",
        "packages",
        "test/lab",
        "test/model",
        "test/results",
        "test/vectors",
      ].map((folder) => `<rootDir>/${folder}/**/*.test.ts`),
    },
    {
      // What Helm makes of infra/kubernetes/chart; without a stack.
      ...base,
      ...inProcess,
      displayName: "chart",
      testMatch: ["<rootDir>/test/kubernetes/**/*.test.ts"],
      globalSetup: "<rootDir>/test/support/kubernetes/install-chart-tools.ts",
    },
    {
      // On the real Kafka, registry and Postgres.
      ...base,
      ...inProcess,
      displayName: "stack",
      testMatch: ["integration", "e2e", "regressions", "attacks"].map(
        (folder) => `<rootDir>/test/${folder}/**/*.test.ts`,
      ),
      globalSetup: "<rootDir>/test/support/stack/global-setup.ts",
      globalTeardown: "<rootDir>/test/support/stack/global-teardown.ts",
    },
  ],
};
