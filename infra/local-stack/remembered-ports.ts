import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../atomic-file.ts";
import { requireFreePort } from "../start/supervisor/free-port.ts";
import { ListenerPort } from "../start/supervisor/listener-port.ts";

const portNumber = z.number().int().min(1).max(65_535);
const fileSchema = z.object({
  postgres: portNumber,
  kafka: portNumber,
  kafka_controller: portNumber,
  registry: portNumber,
});

/** The ports that the user set; null: the last start's port if it is still free, else any free port. */
export interface RequestedPorts {
  readonly postgres: number | null;
  readonly kafka: number | null;
  readonly registry: number | null;
}

export interface StackPorts {
  readonly postgres: ListenerPort;
  readonly kafka: ListenerPort;
  readonly kafkaController: ListenerPort;
  readonly registry: ListenerPort;
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
): Promise<StackPorts> {
  const path = portsFile(dataDir);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "{}";
  const last = fileSchema.safeParse(JSON.parse(text)).data;
  return {
    postgres: await choose(requested.postgres, "POSTGRES_PORT", last?.postgres),
    kafka: await choose(requested.kafka, "KAFKA_PORT", last?.kafka),
    kafkaController: await ListenerPort.free(last?.kafka_controller),
    registry: await choose(requested.registry, "REGISTRY_PORT", last?.registry),
  };
}

/** Saves the ports of a successful start for the next one. */
export function rememberPorts(dataDir: string, ports: StackPorts): void {
  const content = {
    postgres: ports.postgres.number,
    kafka: ports.kafka.number,
    kafka_controller: ports.kafkaController.number,
    registry: ports.registry.number,
  };
  writeFileAtomically(portsFile(dataDir), `${JSON.stringify(content)}\n`, 0o644);
}
