import { once } from "node:events";
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import getRawBody from "raw-body";
import { z } from "zod";
import { FairSlots, NoSlot } from "../../services/platform/fair-slots.ts";
import { declaredLength, drain } from "../../services/platform/http/body/read-sent.ts";
import {
  limitConnections,
  networkOf,
} from "../../services/platform/http/routing/connection-limits.ts";
import {
  MOST_BODY_KIB,
  REGISTRY_READER,
  mostBodyBytes,
  refusalOf,
  registryUserOf,
  type RegistryPasswords,
} from "./logins.ts";

const ANSWER_MS = 10_000;
const HEADERS_MS = 3_000;
const REQUEST_MS = 5_000;
/** Node looks every 30 s by default. */
const CONNECTION_CHECK_MS = 1_000;
const CONNECTIONS = { total: 1_000, perAddress: 200, reserved: 200, few: 10 };
/** Requests to the registry: an address has half of them as each user at most, and addresses take turns. */
const AT_ONCE = { total: 16, perOwner: 8, maxWaiting: 200, maxWaitMs: ANSWER_MS };
const FORWARDED = ["accept", "content-type"] as const;

const TEXTS = {
  401: "The schema registry asks for a user name and a password: none came, or they are wrong.",
  403:
    "Only the user `writer` may change anything at the schema registry. Programs that publish set " +
    "auto.register.schemas=false (docs/carriers.md, Serializers); only `npm run topics` logs in as `writer`. " +
    "Nobody may delete a schema for ever (`permanent`).",
  404: "There is no such resource at the schema registry.",
  413:
    `The body is too large: it has at most ${MOST_BODY_KIB.reader} KiB of the user \`reader\`, ` +
    `${MOST_BODY_KIB.writer} KiB of \`writer\`.`,
  422: "A look-up has a body in JSON without `references`: the schemas here have none.",
  429: "Too many requests of this address wait for the schema registry.",
  502: "The schema registry is not running.",
  504: "The schema registry does not answer.",
} as const;

const lookUp = z.object({ references: z.array(z.unknown()).max(0).nullish() });

type Refusal = keyof typeof TEXTS;

export interface RegistryGateOptions {
  readonly host: string;
  /** 0: any. */
  readonly port: number;
  readonly passwords: RegistryPasswords;
  /** The registry itself, which has no login: `http://host:port`, asked for at each request. */
  readonly upstream: () => string;
  /** How long a connection may be without a whole head of a request. */
  readonly headersMs?: number;
}

export interface RegistryGate {
  readonly port: number;
  stop(): Promise<void>;
}

/** A server in front of the registry that asks for a login, because Apicurio has one with OpenID Connect only. */
export async function startRegistryGate(options: RegistryGateOptions): Promise<RegistryGate> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE.total });
  const turns = new FairSlots(AT_ONCE);
  const times = {
    headersTimeout: options.headersMs ?? HEADERS_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: CONNECTION_CHECK_MS,
  };
  const server = createServer(times, (asked, answer) =>
    pass({ asked, answer, agent, turns, options }),
  );
  limitConnections(server, { ...CONNECTIONS, onRefused: () => undefined });
  server.listen(options.port, options.host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await once(server, "close");
    },
  };
}

interface Passing {
  readonly asked: IncomingMessage;
  readonly answer: ServerResponse;
  readonly agent: Agent;
  readonly turns: FairSlots;
  readonly options: RegistryGateOptions;
}

function pass(passing: Passing): void {
  const { asked, answer, options } = passing;
  const { method = "GET", url: target = "" } = asked;
  const { authorization } = asked.headers;
  const refusal = refusalOf({ method, target, authorization }, options.passwords);
  if (refusal !== null) {
    refuse(answer, refusal);
    return;
  }
  // Whole before the registry is asked: who sends half of a body holds no connection to it.
  getRawBody(asked, {
    length: declaredLength(asked),
    limit: mostBodyBytes(authorization, options.passwords),
  }).then(
    (body) => {
      const isReader = registryUserOf(authorization, options.passwords) === REGISTRY_READER;
      if (!isReader || method !== "POST" || isPlainLookUp(body)) return askInTurn(passing, body);
      refuse(answer, 422);
    },
    (error: unknown) => refuseBody(passing, error),
  );
}

/** Without references, which the registry would follow, and without what it might read otherwise than we do. */
function isPlainLookUp(body: Buffer): boolean {
  try {
    return lookUp.safeParse(JSON.parse(body.toString())).success;
  } catch {
    return false;
  }
}

/** Who asks much, or what is slow to answer, keeps nobody else waiting. */
function askInTurn(passing: Passing, body: Buffer): Promise<void> {
  const { asked, answer, turns, options } = passing;
  const user = registryUserOf(asked.headers.authorization, options.passwords) ?? "";
  const owner = `${user} ${networkOf(asked.socket.remoteAddress ?? "")}`;
  return turns
    .run(owner, () => askRegistry(passing, body))
    .catch((error: unknown) => refuse(answer, error instanceof NoSlot ? 429 : 502));
}

function refuseBody({ asked, answer }: Passing, error: unknown): void {
  const isTooLarge = error instanceof Error && "type" in error && error.type === "entity.too.large";
  if (!isTooLarge) {
    answer.destroy();
    return;
  }
  // Who writes first reads the refusal all the same.
  drain(asked);
  refuse(answer, 413);
}

/** Until the connection to the registry is free again. */
async function askRegistry(
  { asked, answer, agent, options }: Passing,
  body: Buffer,
): Promise<void> {
  if (answer.destroyed) return;
  const { method = "GET", url: target = "" } = asked;
  const sent = request(new URL(target, options.upstream()), {
    ...{ method, agent },
    headers: {
      ...Object.fromEntries(
        FORWARDED.flatMap((name) => {
          const value = asked.headers[name];
          return value === undefined ? [] : [[name, value]];
        }),
      ),
      ...(body.length === 0 ? {} : { "content-length": body.length }),
    },
  });
  const tooLate = setTimeout(() => {
    refuse(answer, 504);
    sent.destroy();
  }, ANSWER_MS);
  sent.once("response", (response) => {
    const type = response.headers["content-type"];
    answer.writeHead(
      response.statusCode ?? 502,
      type === undefined ? {} : { "content-type": type },
    );
    response.pipe(answer);
    response.once("error", () => answer.destroy());
  });
  sent.once("error", () => refuse(answer, 502));
  answer.once("close", () => {
    clearTimeout(tooLate);
    sent.destroy();
  });
  const over = new Promise<void>((resolve) => {
    sent.once("close", resolve);
  });
  sent.end(body);
  await over;
}

/** In the words of the registry, as its clients read them. */
function refuse(answer: ServerResponse, status: Refusal): void {
  if (answer.writableEnded) return;
  if (answer.headersSent) {
    answer.destroy();
    return;
  }
  answer.writeHead(status, {
    "content-type": "application/vnd.schemaregistry.v1+json",
    // What is left of the request is not read, but of a body that is too large.
    ...(status === 413 ? {} : { connection: "close" }),
    ...(status === 401 ? { "www-authenticate": 'Basic realm="schema registry"' } : {}),
  });
  answer.end(JSON.stringify({ error_code: status, message: TEXTS[status] }));
}
