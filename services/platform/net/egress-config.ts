import { isIP } from "node:net";
import type { z } from "zod";

import { flag, list } from "../config.ts";
import { createAddressPolicy, type AddressPolicy } from "./address-policy.ts";
import { createNameResolver, type Resolve } from "./name-resolver.ts";

const PORT = /^(?:\[(?<six>[^\]]+)\]|(?<four>[^:]+))(?::(?<port>\d{1,5}))?$/;

/** Which hosts webhooks may go to; the same for who takes their URLs and for who sends to them. */
export const egressShape = {
  WEBHOOK_ALLOW_HTTP: flag(false),
  WEBHOOK_ALLOW_CIDRS: list(),
  /** Name servers in place of the system's: `10.0.0.2`, `10.0.0.2:5353`, `[fd00::2]:53`. */
  WEBHOOK_NAME_SERVERS: list().refine(
    (items) => items.every(isServer),
    "expected addresses such as 10.0.0.2, 10.0.0.2:5353 or [fd00::2]:53",
  ),
} as const;

type EgressConfig = z.output<z.ZodObject<typeof egressShape>>;

export interface EgressRules {
  readonly policy: AddressPolicy;
  readonly allowHttp: boolean;
  readonly resolve: Resolve;
}

export function egressRules(config: EgressConfig): EgressRules {
  const servers = config.WEBHOOK_NAME_SERVERS;
  return {
    policy: createAddressPolicy(config.WEBHOOK_ALLOW_CIDRS),
    allowHttp: config.WEBHOOK_ALLOW_HTTP,
    resolve: createNameResolver(servers.length === 0 ? {} : { servers }),
  };
}

function isServer(text: string): boolean {
  const { six, four, port } = PORT.exec(text)?.groups ?? {};
  const isAddress = six === undefined ? isIP(four ?? "") === 4 : isIP(six) === 6;
  return (isAddress || isIP(text) === 6) && Number(port ?? 53) <= 65_535;
}
