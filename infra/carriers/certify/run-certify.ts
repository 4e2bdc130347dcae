import { randomUUID } from "node:crypto";
import { z } from "zod";
import {
  carriersByProviderIn,
  readCarriers,
} from "../../../services/domain/carrier/read-carriers.ts";
import { NOTHING_STATED } from "../../../services/domain/port-out/rules/requester.ts";
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
import { findProduct, openHttpAccess } from "./find-product.ts";
import { Kit } from "./kit.ts";
import { submitAndConfirm, type SampleOrder } from "./sample-order.ts";
import {
  answeredAnew,
  CertifyFailure,
  CertifySkip,
  notCancellable,
  notChangeable,
  notDone,
  notRepeated,
  unansweredChange,
} from "./shortfalls.ts";

const FORWARD_TO = "+12125550177";
const GAINING_CARRIER = "Certification Telecom";
const DAY_MS = 86_400_000;

const portOuts = z.object({ data: z.array(z.object({ id: z.string(), status: z.string() })) });

/** The customer forwards a number's calls: the integration takes the request, and reports no call that is refused. */
async function playCalls(kit: Kit, phoneNumber: string): Promise<string> {
  kit.needs("apply_forwarding");
  const body = { forwarding: { primary: FORWARD_TO } };
  const path = `/numbers/${encodeURIComponent(phoneNumber)}`;
  await kit.maker.http.api(path, { method: "PATCH", body });
  const request = await kit.requestWhere(
    "apply_forwarding",
    (seen) => seen.request.phone_numbers?.[0] === phoneNumber,
  );
  await kit.isConsumed(request);
  return "The forwarding of a number's calls was taken.";
}

/** Another carrier requests the number through the provider: the integration takes the decision. */
async function playPortOut(kit: Kit, phoneNumber: string): Promise<string> {
  kit.needs("port_out_decision");
  const { http } = kit.maker;
  const port_out_ref = `certification-${randomUUID()}`;
  const update = {
    provider: kit.provider.name,
    port_out_ref,
    phone_numbers: [phoneNumber],
    gaining_carrier: GAINING_CARRIER,
    requested_foc: new Date(Date.now() + 14 * DAY_MS).toISOString(),
    attempted_pin: null,
    ...NOTHING_STATED,
    foc_at: null,
  };
  const publish = (kind: "requested" | "completed"): Promise<void> =>
    kit.publishPortOut({
      ...update,
      update_id: `${port_out_ref}/${kind}`,
      kind,
      occurred_at: Date.now(),
    });
  await publish("requested");
  const query = `?phone_number=${encodeURIComponent(phoneNumber)}`;
  const waiting = await kit.wait(
    async () =>
      portOuts
        .parse(await http.api(`/port_outs${query}`))
        .data.find(({ status }) => status === "decision_required"),
    () => notDone("the port-out to await its decision", "it does not"),
  );
  await http.api(`/port_outs/${waiting.id}/approve`, { method: "POST", body: {} });
  const request = await kit.requestWhere(
    "port_out_decision",
    (seen) => seen.request.port_out?.port_out_ref === port_out_ref,
  );
  await kit.isConsumed(request);
  // Clears the number from the account, as the carrier's own report would.
  await publish("completed");
  return "The decision on a port-out was taken.";
}

/** How soon the port date comes in the scenario `activate`. */
const SOON_MS = 3_000;
const DATED = ["foc_scheduled", "activating", "completed"] as const;

/** What earlier scenarios leave for later ones. */
interface Played {
  /** A number that the integration has activated. */
  liveNumber?: string;
}

interface Scenario {
  readonly name: string;
  /** Returns what passed, as a sentence. @throws CertifyFailure with the reason; CertifySkip */
  readonly play: (kit: Kit, played: Played) => Promise<string>;
}

const SCENARIOS: readonly Scenario[] = [
  { name: "submit", play: playSubmit },
  { name: "repeat", play: playRepeat },
  { name: "supplement", play: playSupplement },
  { name: "change", play: playChange },
  { name: "cancel", play: playCancel },
  { name: "activate", play: playActivate },
  { name: "calls", play: (kit, { liveNumber }) => playCalls(kit, requireLive(liveNumber)) },
  { name: "port-out", play: (kit, { liveNumber }) => playPortOut(kit, requireLive(liveNumber)) },
];

async function dated(kit: Kit): Promise<SampleOrder> {
  const order = await kit.newOrder();
  await kit.requestOf("submit", order.id);
  await kit.reaches(order.id, { statuses: DATED, by: "acknowledged and date_confirmed" });
  return order;
}

async function playSubmit(kit: Kit): Promise<string> {
  await dated(kit);
  return "The order was acknowledged and its port date confirmed.";
}

async function playRepeat(kit: Kit): Promise<string> {
  const { id } = await dated(kit);
  const { watch } = kit;
  await watch.catchUp();
  const idsOf = (): string[] =>
    watch.updates.filter((one) => one.order_id === id).map((one) => one.update_id);
  const before = idsOf();
  await kit.repeat(await kit.requestOf("submit", id));
  const isRepeated = (updateId: string): boolean =>
    watch.receipts.some(
      ({ order_id, update_id, code }) =>
        order_id === id && update_id === updateId && code === "repeated",
    );
  const missing = (): string[] => before.filter((updateId) => !isRepeated(updateId));
  await kit.wait(
    () => {
      kit.requireNoRefusal(id);
      const other = idsOf().find((updateId) => !before.includes(updateId));
      if (other !== undefined) throw new CertifyFailure(answeredAnew(other));
      return missing().length === 0 ? true : undefined;
    },
    () => notRepeated(missing()),
  );
  return `The repeated request was answered with the same ${before.length} updates.`;
}

async function playSupplement(kit: Kit): Promise<string> {
  kit.needs("supplement");
  const { http } = kit.maker;
  const { id } = await dated(kit);
  const rejection = { raw_code: "port_freeze", raw_text: "Certification: please send it again." };
  const body = { kind: "rejected", raw_status: "CERTIFICATION", rejection };
  await http.desk(`/orders/${id}/carrier_updates`, { method: "POST", body });
  await kit.reaches(id, { statuses: ["rejection"], by: "the desk's update rejected" });
  await submitAndConfirm(kit.maker, id);
  const { request } = await kit.requestOf("supplement", id);
  const version = request.request_version ?? 0;
  const by = `acknowledged and date_confirmed with request_version ${version}`;
  await kit.reaches(id, { statuses: DATED, by });
  return `Version ${version} was acknowledged and dated.`;
}

const windows = z.object({ data: z.array(z.object({ opens_at: z.string() })) });
const asked = z.object({ id: z.string(), status: z.string() });

/** The customer asks for a later date: the integration answers with a date, or refuses the change. */
async function playChange(kit: Kit): Promise<string> {
  kit.needs("supplement");
  const { http } = kit.maker;
  const { id } = await dated(kit);
  const path = `/porting_orders/${id}`;
  const from = encodeURIComponent(new Date(Date.now() + 30 * DAY_MS).toISOString());
  const [window] = windows.parse(await http.api(`${path}/allowed_foc_windows?from=${from}`)).data;
  const body = { foc_requested: window?.opens_at };
  const change = asked.parse(
    await http.api(`${path}/changes`, { method: "POST", body, onConflict: notChangeable }),
  );
  const { request } = await kit.requestOf("supplement", id);
  const version = request.request_version ?? 0;
  return kit.wait(
    async () => {
      kit.requireNoRefusal(id);
      const { status } = asked.parse(await http.api(`${path}/changes/${change.id}`));
      return status === "pending" ? undefined : `The change was ${status}.`;
    },
    () => unansweredChange(version),
  );
}

async function playCancel(kit: Kit): Promise<string> {
  kit.needs("cancel");
  const { http } = kit.maker;
  const { id } = await dated(kit);
  const onConflict = notCancellable;
  await http.api(`/porting_orders/${id}/cancel`, { method: "POST", body: {}, onConflict });
  await kit.requestOf("cancel", id);
  const by = "cancel_confirmed or cancel_refused";
  const status = await kit.reaches(id, { statuses: ["cancelled", ...DATED], by });
  return status === "cancelled"
    ? "The cancellation was confirmed."
    : "The cancellation was refused.";
}

/** Moves the date close, as a carrier may do, so that nobody has to wait for the one that it confirmed. */
async function playActivate(kit: Kit, played: Played): Promise<string> {
  const { http } = kit.maker;
  const { id, phoneNumber } = await dated(kit);
  const foc_at = new Date(Date.now() + SOON_MS).toISOString();
  const body = { kind: "date_moved", raw_status: "CERTIFICATION", foc_at };
  await http.desk(`/orders/${id}/carrier_updates`, { method: "POST", body });
  if (kit.takes("activate")) await kit.requestOf("activate", id);
  await kit.reaches(id, { statuses: ["completed"], by: "number_active for every number" });
  const path = `/numbers/${encodeURIComponent(phoneNumber)}`;
  const live = z.object({ status: z.literal("active") });
  await kit.wait(
    async () => (live.safeParse(await http.api(path)).success ? true : undefined),
    () => notDone(`the number ${phoneNumber} to be active`, "it is not"),
  );
  played.liveNumber = phoneNumber;
  return "The number is active.";
}

function requireLive(phoneNumber: string | undefined): string {
  if (phoneNumber !== undefined) return phoneNumber;
  const expected = "the number that the scenario activate makes active";
  throw new CertifyFailure(notDone(expected, "there is none"));
}

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
