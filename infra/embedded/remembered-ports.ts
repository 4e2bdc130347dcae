import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../atomic-file.ts";
import { freePort, isPortFree, requireFreePort } from "../supervisor/free-port.ts";

const portNumber = z.number().int().min(1).max(65_535);
const fileSchema = z.object({
  postgres: portNumber,
  kafka: portNumber,
  kafka_controller: portNumber,
  registry: portNumber,
});

export type EmbeddedPorts = z.infer<typeof fileSchema>;

/** What the user fixed; null: any free port, the last start's where it is free again. */
export interface WishedPorts {
  readonly postgres: number | null;
  readonly kafka: number | null;
  readonly registry: number | null;
}

async function choose(
  wished: number | null,
  variable: string,
  last: number | undefined,
): Promise<number> {
  if (wished !== null) {
    await requireFreePort(wished, variable);
    return wished;
  }
  return last !== undefined && (await isPortFree(last)) ? last : freePort();
}

/** The ports of Postgres, Kafka and the registry, the same at every start where that can be. */
export async function choosePorts(dataDir: string, wished: WishedPorts): Promise<EmbeddedPorts> {
  const path = join(dataDir, "ports.json");
  const kept = existsSync(path)
    ? fileSchema.safeParse(JSON.parse(readFileSync(path, "utf8")))
    : null;
  const last = kept?.data;
  const ports = {
    postgres: await choose(wished.postgres, "POSTGRES_PORT", last?.postgres),
    kafka: await choose(wished.kafka, "KAFKA_PORT", last?.kafka),
    kafka_controller: await choose(null, "", last?.kafka_controller),
    registry: await choose(wished.registry, "REGISTRY_PORT", last?.registry),
  };
  writeFileAtomically(path, `${JSON.stringify(ports)}\n`, 0o644);
  return ports;
}
