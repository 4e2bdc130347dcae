/** @tier all @needs helm python3 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { stringify } from "yaml";
import { KUBERNETES_FOLDER } from "../support/kubernetes/chart-files.ts";
import { customFaultsOf, isCustom, kindOf } from "../support/kubernetes/custom-resources.ts";
import { kubernetesValidate } from "../support/kubernetes/install-chart-tools.ts";
import { render, type Rendering, type Resource } from "../support/kubernetes/render-chart.ts";
import { temporaryFolder } from "../support/lifetime/temporary-folder.ts";

const run = promisify(execFile);
/** The oldest version that the chart accepts, and the newest whose schemas are there. */
const VERSIONS = ["1.30", "1.37"];

const RENDERINGS: Readonly<Record<string, Rendering>> = {
  production: { values: "values-production.yaml", set: { "kafka.topics.grantRights": true } },
  evaluation: { values: "values-evaluation.yaml" },
  "a Kafka that asks for no login": {
    values: "values-production.yaml",
    set: { "kafka.tls.enabled": false, "kafka.sasl.mechanism": "" },
  },
  "a stop": { values: "values-production.yaml", set: { stopped: true } },
  "ingress and external metrics": {
    values: "values-production.yaml",
    set: {
      "exposure.type": "ingress",
      "exposure.api.tlsSecret": "tls",
      "autoscaling.lagFrom": "external",
    },
  },
};

const folder = temporaryFolder("manifests");
let program: string;

beforeAll(async () => {
  program = await kubernetesValidate();
});

/** What is wrong with the manifests of a file, and what could not be checked, a line for each. */
async function faultsOf(path: string): Promise<string[]> {
  const versions = VERSIONS.flatMap((version) => ["--kubernetes-version", version]);
  const { stdout, stderr } = await run(program, ["--strict", ...versions, path]).catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  );
  return `${stdout}\n${stderr}`
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("INFO"));
}

function fileOf(name: string, resources: readonly unknown[]): string {
  const path = join(folder, `${name}.yaml`);
  writeFileSync(path, resources.map((one) => stringify(one)).join("---\n"));
  return path;
}

describe.each(Object.entries(RENDERINGS))("the chart for %s", (name, rendering) => {
  let resources: Resource[];
  beforeAll(async () => {
    resources = await render(rendering);
  });

  it("is valid by Kubernetes' own schemas", async () => {
    const own = resources.filter((one) => !isCustom(one));
    expect(own.length).toBeGreaterThan(20);
    expect(await faultsOf(fileOf(name.replaceAll(" ", "-"), own))).toEqual([]);
  });

  it("is valid by the schemas of the operators whose resources it has", () => {
    const faults = resources
      .filter(isCustom)
      .flatMap((one) => customFaultsOf(one).map((fault) => `${kindOf(one)} ${fault}`));
    expect(faults).toEqual([]);
  });

  it("names every resource once", () => {
    const names = resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names.filter((one, index) => names.indexOf(one) !== index)).toEqual([]);
  });
});

describe("Kubernetes' own schemas", () => {
  it("accept the example of the registry", async () => {
    expect(await faultsOf(join(KUBERNETES_FOLDER, "examples", "registry.yaml"))).toEqual([]);
  });

  it("refuse an unknown field and a wrong value", async () => {
    const service = { apiVersion: "v1", kind: "Service", metadata: { name: "api" } };
    const unknown = fileOf("unknown", [{ ...service, spec: { port: [] } }]);
    expect(await faultsOf(unknown)).not.toEqual([]);
    const wrong = fileOf("wrong", [{ ...service, spec: { ports: [{ port: "http" }] } }]);
    expect(await faultsOf(wrong)).not.toEqual([]);
  });
});
