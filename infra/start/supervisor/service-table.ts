/** The variable with the port of a service's `/readyz`. */
export type PortVariable = "API_PORT" | "DESK_PORT" | "HEALTH_PORT";

/** Every service of the product, each `services/<name>/main.ts`, a process of its own. */
export const SERVICE_PORTS = {
  api: "API_PORT",
  desk: "DESK_PORT",
  "requirement-review": "HEALTH_PORT",
  "order-lifecycle": "HEALTH_PORT",
  "carrier-adapter": "HEALTH_PORT",
  "sandbox-carrier": "HEALTH_PORT",
  "platform-carrier": "HEALTH_PORT",
  "webhook-sender": "HEALTH_PORT",
  "event-log": "HEALTH_PORT",
  "outbox-relay": "HEALTH_PORT",
} as const satisfies Record<string, PortVariable>;

export type ServiceName = keyof typeof SERVICE_PORTS;

/** A service, or a further copy of it: `api`, `api#2`. */
export type CopyName = ServiceName | `${ServiceName}#${number}`;

export const SERVICE_NAMES: readonly ServiceName[] = Object.keys(SERVICE_PORTS).filter(isService);

function isService(name: string): name is ServiceName {
  return Object.hasOwn(SERVICE_PORTS, name);
}

/** The service that a copy belongs to. */
export function serviceOf(copy: CopyName): ServiceName {
  const [name = ""] = copy.split("#");
  if (!isService(name)) throw new TypeError(`${copy} is not the name of a service`);
  return name;
}

/** The names of so many copies of a service. */
export function copiesOf(service: ServiceName, copies: number): CopyName[] {
  const further = Array.from({ length: copies - 1 }, (_, n): CopyName => `${service}#${n + 2}`);
  return [service, ...further];
}
