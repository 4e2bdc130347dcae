import {
  carriersByProviderIn,
  readCarriers,
} from "../../../services/domain/carrier/read-carriers.ts";
import type { Provider } from "../../../services/domain/carrier/rules/provider.ts";
import { openStream } from "../../../services/messages/bus/stream.ts";
import { providerGroup } from "../../../services/messages/bus/topic-rights.ts";
import { findBusAccess } from "../../../services/platform/command-addresses.ts";
import { AppError } from "../../../services/platform/errors.ts";
import { kafkaFault } from "../../../services/platform/kafka/kafka-fault.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { planTopics } from "../../../services/messages/topic-plan.ts";
import { warnOfForeignVersions } from "../../topics/foreign-versions.ts";
import { watchBus } from "./bus-watch.ts";
import { certify } from "./certify.ts";
import { findProduct } from "./find-product.ts";
import { openHttpAccess } from "./http-access.ts";
import { Kit } from "./kit.ts";

const SESSION_TIMEOUT_MS = 10_000;

export interface CertifyOptions {
  readonly carriersDir: string;
  readonly provider: string;
  /** Null: the first carrier of the directory that the provider serves. */
  readonly carrier: string | null;
  readonly numberPrefix: string;
  readonly timeoutMs: number;
  readonly env: NodeJS.ProcessEnv;
  readonly print: (line: string) => void;
}

/**
 * Drives the running integration of a provider through every scenario; true if none failed.
 * @throws `invalid_config` where the provider, its carrier or the running product is not found
 */
export async function runCertify(options: CertifyOptions): Promise<boolean> {
  const { print, timeoutMs, numberPrefix } = options;
  const provider = findProvider(options);
  const losingCarrier = findCarrier(options);
  const { http: place, env } = await findProduct(options.env);
  const http = openHttpAccess(place);
  const { brokers, security, registry } = await findBusAccess(env);
  const stream = await openStream({
    config: {
      ...security,
      ...registry,
      KAFKA_BROKERS: brokers,
      TOPIC_PREFIX: env["TOPIC_PREFIX"] ?? "",
      KAFKA_SESSION_TIMEOUT: SESSION_TIMEOUT_MS,
    },
    service: "certify",
    log: createLogger("certify", "error"),
    signal: new AbortController().signal,
  });
  const user = security.KAFKA_SASL_USERNAME;
  const watch = await watchBus(stream, provider.name).catch((error: unknown) => {
    throw kafkaFault(error, { brokers, user });
  });
  try {
    if (!(await watch.groups.hasMember())) {
      const groups = stream.topicPrefix + providerGroup(provider.name);
      const detail = `No consumer group ${groups}… has a member: is the integration running? See docs/carriers.md#topics`;
      throw new AppError("invalid_config", detail);
    }
    for (const line of await warnOfForeignVersions(registry, carrierSubjects(stream))) print(line);
    print(`certifying ${provider.name} with orders of ${losingCarrier} at ${place.API_URL}`);
    const maker = { http, losingCarrier, numberPrefix, timeoutMs };
    return await certify(new Kit({ stream, watch, provider, maker }), print);
  } finally {
    await watch.stop();
    await stream.producer.stop();
  }
}

/** The subjects of what integrations read and write. */
function carrierSubjects({ topicPrefix: prefix }: { readonly topicPrefix: string }) {
  const settings = { prefix, replication: 1, retrySchedule: "1m", eventsRetentionMs: null };
  const { subjects } = planTopics(settings);
  return subjects.filter(({ subject }) => subject.startsWith(`${prefix}carriers.`));
}

function findProvider({ carriersDir, provider: name }: CertifyOptions): Provider {
  const { providers } = readCarriers(carriersDir);
  const provider = providers.get(name);
  if (provider !== undefined) return provider;
  const known = [...providers.keys()].toSorted().join(", ");
  const detail = `${carriersDir} has no providers/${name}.json; there are ${known}.`;
  throw new AppError("invalid_config", detail);
}

function findCarrier({ carriersDir, provider, carrier }: CertifyOptions): string {
  const served = carrier ?? carriersByProviderIn(carriersDir).get(provider)?.[0];
  if (served !== undefined) return served;
  const detail = `The directory of ${carriersDir} has no carrier of ${provider}: name one with --carrier.`;
  throw new AppError("invalid_config", detail);
}
