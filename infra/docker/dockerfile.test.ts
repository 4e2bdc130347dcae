import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { composeText } from "../../test/support/programs/compose-file.ts";
import { LTS_NODE_VERSION } from "../node-version.ts";
import { projectRoot } from "../project-root.ts";
import { SBOM_FILE } from "../supply-chain/sbom.ts";

const read = (name: string): string => readFileSync(join(projectRoot, name), "utf8");
const folder = join(projectRoot, "infra", "docker");
const lines = readFileSync(join(folder, "Dockerfile"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
const [preamble = [], ...stages] = lines.reduce<string[][]>(
  (found, line) =>
    line.startsWith("FROM ")
      ? [...found, [line]]
      : [...found.slice(0, -1), [...(found.at(-1) ?? []), line]],
  [[]],
);
const runtime = stages.at(-1) ?? [];
const ignored = readFileSync(join(folder, "Dockerfile.dockerignore"), "utf8").split("\n");

function values(stage: readonly string[], instruction: string): string[] {
  return stage
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length + 1));
}

describe("the Dockerfile", () => {
  it("builds in a separate stage, both on one image, which a build argument may pin to a digest", () => {
    expect(stages).toHaveLength(2);
    const images = stages.map(([from = ""]) => from.split(" ")[1]);
    expect(images).toEqual(["${NODE_IMAGE}", "${NODE_IMAGE}"]);
    expect(preamble).toEqual([expect.stringMatching(/^ARG NODE_IMAGE=/)]);
    expect(values(runtime, "LABEL")).toContain(
      'org.opencontainers.image.base.name="${NODE_IMAGE}"',
    );
  });

  it("names the LTS release of Node by its exact tag, like everything that names the image", () => {
    const [tag = ""] = values(preamble, "ARG").map((line) => line.replace("NODE_IMAGE=", ""));
    expect(tag).toMatch(
      new RegExp(`^node:${LTS_NODE_VERSION.replaceAll(".", "\\.")}-[a-z]+-slim$`),
    );
    expect(composeText).toContain(`{ NODE_IMAGE: "\${NODE_IMAGE:-${tag}}" }`);
    expect(read(".env.example")).toContain(`\nNODE_IMAGE=${tag}\n`);
    const guide = read("docs/guides/docker.md").match(/node:\d[\w.-]*/g);
    expect(new Set(guide)).toEqual(new Set([tag]));
  });

  it("carries its bill of materials where the label says, and the notice of the licences", () => {
    const [at = ""] = values(runtime, "LABEL").flatMap(
      (line) => /^number-porting-service\.sbom="(.+)"$/.exec(line)?.[1] ?? [],
    );
    expect(values(runtime, "WORKDIR")).toEqual([dirname(at)]);
    expect(values(runtime, "COPY")).toContain(`--from=build /app/${SBOM_FILE} ${basename(at)}`);
    expect(values(runtime, "COPY")).toContain("package.json package-lock.json NOTICE ./");
  });

  it("runs as node, without development packages, and passes signals to Node", () => {
    expect(values(runtime, "USER")).toEqual(["node"]);
    const installs = values(runtime, "RUN").filter((line) => line.includes("npm ci"));
    expect(installs).toEqual([expect.stringContaining("npm ci --omit=dev --ignore-scripts")]);
    expect(values(runtime, "ENV")).toContain("NODE_ENV=production");
    expect(values(runtime, "STOPSIGNAL")).toEqual(["SIGTERM"]);
    expect(values(runtime, "ENTRYPOINT")).toEqual(['["node"]']);
  });

  it("copies exactly the existing paths that its ignore file allows", () => {
    const sources = stages
      .flatMap((stage) => values(stage, "COPY"))
      .filter((copy) => !copy.startsWith("--from"))
      .flatMap((copy) => copy.split(" ").slice(0, -1));
    expect(sources.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
    const allowed = ignored.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
    expect(new Set(sources)).toEqual(new Set(allowed));
    expect(ignored).toContain("*");
  });
});
