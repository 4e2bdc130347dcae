import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ensureCluster } from "./kafka.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kafka-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the folder of Kafka", () => {
  it("keeps the id of its cluster", () => {
    const id = ensureCluster(folder, 3);
    expect(id).toMatch(/^[\w-]{22}$/);
    expect(ensureCluster(folder, 3)).toBe(id);
  });

  it.each([
    { had: 3, nodes: 1, text: "has 3 nodes, but KAFKA_NODES is 1" },
    { had: 1, nodes: 3, text: "has 1 node, but KAFKA_NODES is 3" },
  ])("keeps its number of nodes: $had", ({ had, nodes, text }) => {
    ensureCluster(folder, had);
    expect(() => ensureCluster(folder, nodes)).toThrow(text);
  });

  it("of an earlier version has one node", () => {
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data", "meta.properties"), "version=1\ncluster.id=the-id_1\n");
    expect(() => ensureCluster(folder, 3)).toThrow("has 1 node, but KAFKA_NODES is 3");
    expect(ensureCluster(folder, 1)).toBe("the-id_1");
  });
});
