import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectRoot } from "../project-root.ts";

const folder = join(projectRoot, "infra", "docker");
const lines = readFileSync(join(folder, "Dockerfile"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
const stages = lines.reduce<string[][]>(
  (found, line) =>
    line.startsWith("FROM ")
      ? [...found, [line]]
      : [...found.slice(0, -1), [...(found.at(-1) ?? []), line]],
  [],
);
const runtime = stages.at(-1) ?? [];
const ignored = readFileSync(join(folder, "Dockerfile.dockerignore"), "utf8").split("\n");

function values(stage: readonly string[], instruction: string): string[] {
  return stage
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length + 1));
}

describe("the Dockerfile", () => {
  it("builds in a separate stage, on one pinned Node version that the project supports", () => {
    expect(stages).toHaveLength(2);
    const images = stages.map(([from = ""]) => from.split(" ")[1]);
    expect(new Set(images).size).toBe(1);
    expect(images[0]).toMatch(/^node:20\.(19|[2-9]\d)\.\d+-\w+-slim$/);
  });

  it("runs as node, without development packages, and passes signals to Node", () => {
    expect(values(runtime, "USER")).toEqual(["node"]);
    const installs = values(runtime, "RUN").filter((line) => line.includes("npm ci"));
    expect(installs).toEqual([expect.stringContaining("npm ci --omit=dev --ignore-scripts")]);
    expect(values(runtime, "ENV")).toContain("NODE_ENV=production");
    expect(values(runtime, "STOPSIGNAL")).toEqual(["SIGTERM"]);
    expect(values(runtime, "ENTRYPOINT")).toEqual(['["node", "--enable-source-maps"]']);
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
