import {
  carriersByProviderIn,
  readCarriers,
} from "../../../services/domain/carrier/read-carriers.ts";
import type { Provider } from "../../../services/domain/carrier/rules/provider.ts";
import { openStream } from "../../../services/messages/bus/stream.ts";
import { providerGroup } from "../../../services/messages/bus/topic-rights.ts";
import { planTopics } from "../../../services/messages/topic-plan.ts";
import { findBusAccess } from "../../../services/platform/command-line.ts";
import { AppError } from "../../../services/platform/errors.ts";
import { kafkaFault } from "../../../services/platform/kafka/kafka-faults.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { warnOfForeignVersions } from "../../topics/foreign-versions.ts";
import { watchBus } from "./bus-watch.ts";
import { CertifyFailure, CertifySkip } from "./certify-failure.ts";
import { findProduct } from "./find-product.ts";
import { openHttpAccess } from "./http-access.ts";
import { Kit } from "./kit.ts";
import { SCENARIOS, type Played, type Scenario } from "./scenarios.ts";

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

export interface ScenarioResult {
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly detail: string;
}

/** Plays every scenario in order, and reports each as soon as it is over; true if none failed. */
async function certify(kit: Kit, report: (line: string) => void): Promise<boolean> {
  const played: Played = {};
  const results: ScenarioResult[] = [];
  for (const scenario of SCENARIOS) {
    const result = await playOne(scenario, kit, played);
    report(`${result.state.padEnd(8)}${result.name.padEnd(11)}${result.detail}`);
    results.push(result);
  }
  const count = (state: ScenarioResult["state"]): number =>
    results.filter((one) => one.state === state).length;
  report(`${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`);
  return count("failed") === 0;
}

async function playOne(
  { name, play }: Scenario,
  kit: Kit,
  played: Played,
): Promise<ScenarioResult> {
  try {
    return { name, state: "passed", detail: await play(kit, played) };
  } catch (error) {
    if (error instanceof CertifySkip) return { name, state: "skipped", detail: error.message };
    if (error instanceof CertifyFailure) {
      const delay = await kit.serviceDelay();
      const detail = delay === null ? error.message : `${error.message}. ${delay}`;
      return { name, state: "failed", detail };
    }
    throw error;
  }
}
