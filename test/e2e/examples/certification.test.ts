/** @tier all */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { projectRoot } from "../../../infra/project-root.ts";
import { eventually } from "../../support/eventually.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";
import { exampleCommand, startExample } from "../../support/programs/example-integration.ts";
import { outputOf } from "../../support/programs/program-output.ts";
import { adminVariables } from "../../support/stack/kafka-access.ts";

const PROVIDER = "test";
const PROGRAM = join(projectRoot, "infra", "carriers", "main.ts");
const FORGETFUL = "test/support/programs/forgetful-integration.ts";
const JOIN_MS = 60_000;

let product: OwnProduct;
let folder: string;

beforeAll(async () => {
  product = await startOwnProduct({ env: { DEADLINE_POLL: "100ms" } });
  folder = temporaryFolder("certification");
});

interface Certified {
  readonly code: number | null;
  readonly output: string;
}

async function certify(...flags: string[]): Promise<Certified> {
  const child = spawn(process.execPath, [PROGRAM, "certify", PROVIDER, ...flags], {
    cwd: projectRoot,
    env: {
      ...process.env,
      ...adminVariables(product.kafkaBrokers),
      SCHEMA_REGISTRY_URL: product.registryUrl,
      TOPIC_PREFIX: product.topicPrefix,
      API_URL: product.apiUrl,
      API_KEY: product.apiKey,
      DESK_URL: product.deskUrl,
      DESK_TOKEN: product.deskToken,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endAfterTests(() => child.kill("SIGKILL"));
  const output = outputOf(child);
  await once(child, "close");
  return { code: child.exitCode, output: output() };
}

describe("npm run carriers -- certify", () => {
  it("says so where no integration of the provider is running", async () => {
    const { code, output } = await certify();
    expect(output).toMatch(/has a member: is the integration running\?/);
    expect(code).toBe(1);
  });

  it("passes the TypeScript example through every scenario", async () => {
    const command = await exampleCommand("TypeScript");
    const dataDir = join(folder, "good");
    const program = startExample({ product, command, provider: PROVIDER, dataDir });
    await eventually(() => expect(program.output()).toContain("joined"), JOIN_MS);
    const { code, output } = await certify();
    const lines = output.split("\n").filter((line) => /^(passed|failed|skipped)/.test(line));
    expect(lines.map((line) => line.split(/ +/).slice(0, 2))).toEqual(
      ["submit", "repeat", "supplement", "change", "cancel", "activate", "calls", "port-out"].map(
        (name) => ["passed", name],
      ),
    );
    expect(output).toContain("8 passed, 0 failed, 0 skipped");
    expect(code).toBe(0);
    await program.end("SIGTERM");
  });

  it("fails an integration that answers a repeated request otherwise, with the reason", async () => {
    // Forgets what it has published: its updates come under the same ids with another time.
    const program = spawn(process.execPath, [join(projectRoot, FORGETFUL)], {
      env: {
        ...process.env,
        ...adminVariables(product.kafkaBrokers),
        SCHEMA_REGISTRY_URL: product.registryUrl,
        TOPIC_PREFIX: product.topicPrefix,
        PROVIDER,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    endAfterTests(() => program.kill("SIGKILL"));
    const output = outputOf(program);
    await eventually(() => expect(output()).toContain("joined"), JOIN_MS);
    const certified = await certify("--timeout", "15s");
    expect(certified.output).toMatch(/^failed {2}repeat .*update_conflict/m);
    expect(certified.output).toMatch(/^failed {2}cancel .*is still cancel_pending/m);
    const explained =
      /^failed {2}repeat {5}Expected .*, but .*\. See docs\/carriers\.md#order-and-repeats$/m;
    expect(certified.output).toMatch(explained);
    expect(certified.output).toMatch(/^passed {2}submit /m);
    expect(certified.code).toBe(1);
  });
});
