import { z } from "zod";
import { PortingClient } from "../../../packages/client/porting-client.ts";
import { CertifyFailure, type Shortfall } from "./certify-failure.ts";
import type { HttpPlace } from "./find-product.ts";
import { notDone } from "./shortfalls.ts";

const object = z.record(z.string(), z.unknown());
const problem = z.object({ detail: z.string() });
export type Json = z.output<typeof object>;

export interface Ask {
  readonly method?: "GET" | "POST" | "PATCH";
  readonly body?: unknown;
  /** What a 409 means, by its detail. */
  readonly onConflict?: (detail: string) => Shortfall;
}

/** The API as a customer, and the desk as an operator. */
export interface HttpAccess {
  /** @throws CertifyFailure where the answer is not 2xx */
  readonly api: (path: string, ask?: Ask) => Promise<Json>;
  readonly desk: (path: string, ask?: Ask) => Promise<Json>;
  readonly customer: PortingClient;
}

export function openHttpAccess(found: HttpPlace): HttpAccess {
  return {
    api: (path, ask) => send({ url: `${found.API_URL}/v2${path}`, token: found.API_KEY }, ask),
    desk: (path, ask) =>
      send({ url: `${found.DESK_URL}/desk/v1${path}`, token: found.DESK_TOKEN }, ask),
    customer: new PortingClient({ baseUrl: found.API_URL, apiKey: found.API_KEY }),
  };
}

async function send(
  { url, token }: { readonly url: string; readonly token: string },
  { method = "GET", body, onConflict }: Ask = {},
): Promise<Json> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status === 409 && onConflict !== undefined) {
    throw new CertifyFailure(onConflict(problem.parse(JSON.parse(text)).detail));
  }
  if (!response.ok) {
    const { pathname } = new URL(url);
    const came = `it was answered ${response.status}: ${text}`;
    throw new CertifyFailure(notDone(`${method} ${pathname} to succeed`, came));
  }
  return text === "" ? {} : object.parse(JSON.parse(text));
}
