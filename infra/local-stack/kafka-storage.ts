import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { AppError } from "../../services/platform/errors.ts";
import { writeFileAtomically } from "../atomic-file.ts";

const fileSchema = z.object({ nodes: z.number().int(), cluster_id: z.string() });

/** The folder with the data of a node that has been formatted. */
export function dataOf(nodeFolder: string): string {
  return join(nodeFolder, "data");
}

/**
 * The id of the cluster whose data is in the folder; a new one where there is no data yet.
 * @throws `stack_failed` where the data is that of another number of nodes
 */
export function ensureCluster(folder: string, nodes: number): string {
  const path = join(folder, "cluster.json");
  const kept = existsSync(path) ? fileSchema.parse(JSON.parse(readFileSync(path, "utf8"))) : null;
  const first = dataOf(folder);
  // Before there was a choice, every folder was that of one node.
  const had = kept?.nodes ?? (existsSync(first) ? 1 : nodes);
  if (had !== nodes) throw refusal(folder, { had, nodes });
  if (kept !== null) return kept.cluster_id;
  const id = existsSync(first) ? clusterIdOf(first) : newClusterId();
  writeFileAtomically(path, `${JSON.stringify({ nodes, cluster_id: id })}\n`, 0o600);
  return id;
}

function refusal(folder: string, { had, nodes }: { had: number; nodes: number }): AppError {
  const what = `The Kafka in ${folder} has ${countText(had)}, but KAFKA_NODES is ${nodes}.`;
  const how = `The number cannot change: set KAFKA_NODES=${had} or another DATA_DIR, or see "Several brokers" in docs/operations.md.`;
  return new AppError("stack_failed", `${what} ${how}`);
}

function countText(nodes: number): string {
  return nodes === 1 ? "1 node" : `${nodes} nodes`;
}

function clusterIdOf(data: string): string {
  const text = readFileSync(join(data, "meta.properties"), "utf8");
  return /^cluster\.id=(.*)$/m.exec(text)?.[1] ?? "";
}

function newClusterId(): string {
  return Buffer.from(randomUUID().replaceAll("-", ""), "hex").toString("base64url");
}

/** Formats a node's storage beside its final path and moves it there, so that an interrupted format is repeated. */
export async function formatStorage(
  nodeFolder: string,
  format: (draft: string) => Promise<void>,
): Promise<void> {
  const data = dataOf(nodeFolder);
  if (existsSync(data)) return;
  const draft = join(nodeFolder, "data.draft");
  rmSync(draft, { recursive: true, force: true });
  await format(draft);
  renameSync(draft, data);
}
