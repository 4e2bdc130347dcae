import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../atomic-file.ts";
import { ListenerPort, requireFreePort } from "../start/supervisor/ports.ts";
import type { NodeCount } from "./kafka-properties.ts";

const portNumber = z.number().int().min(1).max(65_535);
const fileSchema = z.object({
  postgres: portNumber,
  kafka: portNumber,
  kafka_controller: portNumber,
  registry: portNumber,
  /** Of the registry itself, behind its login. */
  registry_inner: portNumber.optional(),
  /** Of the nodes of Kafka beyond the first. */
  more_kafka: z.array(z.object({ clients: portNumber, controller: portNumber })).default([]),
});

/** The ports that the user set, Kafka's for its first node; null: the last start's port if it is still free, else any free port. */
export interface RequestedPorts {
  readonly postgres: number | null;
  readonly kafka: number | null;
  readonly registry: number | null;
}

/** The listeners of a node of Kafka. */
export interface NodePorts {
  readonly clients: ListenerPort;
  readonly controller: ListenerPort;
}

export interface StackPorts {
  readonly postgres: ListenerPort;
  readonly kafkaNodes: readonly [NodePorts, ...NodePorts[]];
  readonly registry: ListenerPort;
  /** Of the registry itself, where `registry` is that of its login. */
  readonly registryInner: ListenerPort;
}

async function choose(
  requested: number | null | undefined,
  variable: string,
  last: number | undefined,
): Promise<ListenerPort> {
  if (requested === null || requested === undefined) return ListenerPort.free(last);
  await requireFreePort(requested, variable);
  return ListenerPort.fixed(requested);
}

function portsFile(dataDir: string): string {
  return join(dataDir, "ports.json");
}

/** @throws `stack_failed` where a port that the user set is in use */
export async function choosePorts(
  dataDir: string,
  requested: Partial<RequestedPorts>,
  kafkaNodes: NodeCount,
): Promise<StackPorts> {
  const path = portsFile(dataDir);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "{}";
  const last = fileSchema.safeParse(JSON.parse(text)).data;
  const first = {
    clients: await choose(requested.kafka, "KAFKA_PORT", last?.kafka),
    controller: await ListenerPort.free(last?.kafka_controller),
  };
  const others: NodePorts[] = [];
  for (let n = 1; n < kafkaNodes; n += 1) {
    const before = last?.more_kafka[n - 1];
    const clients = await ListenerPort.free(before?.clients);
    others.push({ clients, controller: await ListenerPort.free(before?.controller) });
  }
  return {
    postgres: await choose(requested.postgres, "POSTGRES_PORT", last?.postgres),
    kafkaNodes: [first, ...others],
    registry: await choose(requested.registry, "REGISTRY_PORT", last?.registry),
    registryInner: await ListenerPort.free(last?.registry_inner),
  };
}

/** Saves the ports of a successful start for the next one. */
export function rememberPorts(dataDir: string, ports: StackPorts): void {
  const [first, ...others] = ports.kafkaNodes;
  const content: z.output<typeof fileSchema> = {
    postgres: ports.postgres.number,
    kafka: first.clients.number,
    kafka_controller: first.controller.number,
    registry: ports.registry.number,
    registry_inner: ports.registryInner.number,
    more_kafka: others.map(({ clients, controller }) => ({
      clients: clients.number,
      controller: controller.number,
    })),
  };
  writeFileAtomically(portsFile(dataDir), `${JSON.stringify(content)}\n`, 0o644);
}
