import { AppError } from "../../services/platform/errors.ts";
import type { StartConfig } from "./config.ts";
import { freePort, requireFreePort } from "./supervisor/ports.ts";

/** The ports of the copies of API and desk, the first copy's first. */
export interface PublicPorts {
  readonly api: readonly [number, ...number[]];
  readonly desk: readonly [number, ...number[]];
}

/** Further copies listen so far above the one before, so that a proxy in front of them knows their ports. */
const BETWEEN_COPIES = 10;
const HIGHEST = 65_535;

type Ports = Pick<StartConfig, "apiPort" | "deskPort" | "listenHost" | "copies">;

/** The ports of a start; any free ones where a port is 0. @throws `stack_failed` where one is in use */
export async function choosePublicPorts(config: Ports): Promise<PublicPorts> {
  requireApart(config);
  const { apiPort, deskPort } = config;
  return {
    api: await chooseEach(config, { variable: "API_PORT", first: apiPort }),
    desk: await chooseEach(config, { variable: "DESK_PORT", first: deskPort }),
  };
}

/** The fixed ports of all copies; none where the first is 0. */
function fixedPorts(first: number, copies: number): number[] {
  if (first === 0) return [];
  return Array.from({ length: copies }, (_, n) => first + n * BETWEEN_COPIES);
}

/** @throws `invalid_config` where copies would share a port, or there is no such port */
function requireApart({ apiPort, deskPort, copies }: Ports): void {
  const ports = [...fixedPorts(apiPort, copies), ...fixedPorts(deskPort, copies)];
  const isShared = new Set(ports).size < ports.length;
  if (!isShared && ports.every((port) => port <= HIGHEST)) return;
  const what = `With COPIES=${copies}, API and desk listen on API_PORT and DESK_PORT and on every ${BETWEEN_COPIES}th port above each`;
  const which = isShared ? "these must not be the same" : `the highest is ${HIGHEST}`;
  throw new AppError("invalid_config", `${what}: ${which}.`);
}

async function chooseEach(
  { listenHost, copies }: Ports,
  { variable, first }: { readonly variable: string; readonly first: number },
): Promise<[number, ...number[]]> {
  const choose = async (copy: number): Promise<number> => {
    if (first === 0) return freePort(listenHost);
    const port = first + copy * BETWEEN_COPIES;
    await requireFreePort(port, variable, listenHost);
    return port;
  };
  const ports: [number, ...number[]] = [await choose(0)];
  for (let copy = 1; copy < copies; copy += 1) ports.push(await choose(copy));
  return ports;
}
