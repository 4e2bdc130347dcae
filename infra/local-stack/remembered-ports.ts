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

/** What the user fixed; null: any free port, that of the last start where it is still free. */
export interface WishedPorts {
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
  wished: number | null | undefined,
  variable: string,
  last: number | undefined,
): Promise<ListenerPort> {
  if (wished === null || wished === undefined) return ListenerPort.free(last);
  await requireFreePort(wished, variable);
  return ListenerPort.fixed(wished);
}

function portsFile(dataDir: string): string {
  return join(dataDir, "ports.json");
}

/** Throws one sentence where a port that the user fixed is in use. */
export async function choosePorts(
  dataDir: string,
  wished: Partial<WishedPorts>,
): Promise<StackPorts> {
  const path = portsFile(dataDir);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "{}";
  const last = fileSchema.safeParse(JSON.parse(text)).data;
  return {
    postgres: await choose(wished.postgres, "POSTGRES_PORT", last?.postgres),
    kafka: await choose(wished.kafka, "KAFKA_PORT", last?.kafka),
    kafkaController: await ListenerPort.free(last?.kafka_controller),
    registry: await choose(wished.registry, "REGISTRY_PORT", last?.registry),
  };
}

/** Writes the ports of a successful start down for the next one. */
export function rememberPorts(dataDir: string, ports: StackPorts): void {
  const content = {
    postgres: ports.postgres.number,
    kafka: ports.kafka.number,
    kafka_controller: ports.kafkaController.number,
    registry: ports.registry.number,
  };
  writeFileAtomically(portsFile(dataDir), `${JSON.stringify(content)}\n`, 0o644);
}
