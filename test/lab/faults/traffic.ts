import { z } from "zod";
import { until } from "../../../infra/start/supervisor/until.ts";
import { dataOf } from "../../support/http/call.ts";
import { ask, askUntilAnswered, GIVE_UP_MS, postOnce } from "./ask.ts";
import type { DriverRecord } from "./run-progress.ts";
import { query } from "./history.ts";

interface LoggedTraffic {
  readonly calls: ReadonlyMap<string, number>;
  readonly portedOut: ReadonlyMap<string, number>;
}

/** Every acknowledged call and every number that was ported out is in the log exactly once. */
export function trafficLoggedOnce(
  record: DriverRecord,
  { calls, portedOut }: LoggedTraffic,
): string[] {
  const wrong = (what: string, wanted: ReadonlySet<string>, logged: ReadonlyMap<string, number>) =>
    [...wanted]
      .filter((one) => logged.get(one) !== 1)
      .map((one) => `${what} ${one} is logged ${logged.get(one) ?? 0} times`);
  const twice = [...calls, ...portedOut].filter(([, times]) => times > 1);
  return [
    ...wrong("call", record.calls, calls),
    ...wrong("port-out of", record.portOuts, portedOut),
    ...twice.map(([what, times]) => `${what} is logged ${times} times`),
  ];
}

export interface TrafficOptions {
  readonly apiUrl: string;
  readonly deskUrl: string;
  /** The account's API key. */
  readonly key: string;
  /** The operator's token. */
  readonly token: string;
  readonly random: () => number;
  readonly record: DriverRecord;
}

const PORT_OUT_SHARE = 0.1;
const PACE_MS = 150;

const portOut = z.object({ id: z.string() });

/** Plays calls to active numbers, and port-outs that the customer approves, until `isOver`. */
export async function playTraffic(options: TrafficOptions, isOver: () => boolean): Promise<void> {
  const { apiUrl, key, random } = options;
  while (!isOver()) {
    const live = await ask(`${apiUrl}/v2/numbers?limit=50`, { key });
    const numbers = (live?.status === 200 ? dataOf(live) : [])
      .filter((one) => one["status"] === "active")
      .map((one) => z.string().parse(one["phone_number"]));
    const number = numbers[Math.floor(random() * numbers.length)];
    if (number !== undefined) {
      await (random() < PORT_OUT_SHARE ? portAway(options, number) : callNumber(options, number));
    }
    await new Promise((resolve) => setTimeout(resolve, PACE_MS));
  }
}

async function callNumber(options: TrafficOptions, number: string): Promise<void> {
  const call = { kind: "completed", from: "+13035550100", to: number, phone_number: number };
  const body = { ...call, duration_seconds: 12, ended_by: "caller" };
  const played = await askDesk(options, "/calls", body);
  options.record.calls.add(z.string().parse(played["call_id"]));
}

/** Requests the number for another carrier, approves as its owner, and completes the port-out. */
async function portAway(options: TrafficOptions, number: string): Promise<void> {
  const { apiUrl, key, record } = options;
  const wish = { gaining_carrier: "Elsewhere", requested_foc: "2027-03-01T10:00:00-05:00" };
  const asked = await askDesk(options, "/port_outs", { ...wish, phone_numbers: [number] });
  const reference = z.string().parse(asked["port_out_ref"]);
  record.portOuts.add(number);
  const since = performance.now();
  const path = `${apiUrl}/v2/port_outs?status=decision_required&phone_number=`;
  await until(
    async () => {
      const found = await ask(path + encodeURIComponent(number), { key });
      const [waiting] = found?.status === 200 ? dataOf(found) : [];
      if (waiting === undefined) return false;
      const url = `${apiUrl}/v2/port_outs/${portOut.parse(waiting).id}/approve`;
      await askUntilAnswered(url, { method: "POST", key, body: {} });
      return true;
    },
    { timeoutMs: GIVE_UP_MS, everyMs: PACE_MS, what: `port-out ${reference} to need a decision` },
  );
  record.waited(`port-out ${reference} to need a decision`, since);
  const url = `${options.deskUrl}/desk/v1/sandbox/port_outs/${reference}/complete`;
  const completed = await askUntilAnswered(url, { method: "POST", key: options.token, body: {} });
  if (completed.answer.status !== 202) {
    throw new Error(`the completion returned ${completed.answer.status}`);
  }
}

/** Posts once to the desk's sandbox routes. */
async function askDesk({ deskUrl, token, record }: TrafficOptions, path: string, body: unknown) {
  const { answer, doubted } = await postOnce(`${deskUrl}/desk/v1/sandbox${path}`, {
    key: token,
    body,
  });
  if (doubted) record.doubts += 1;
  if (answer.status !== 202) throw new Error(`${path} returned ${answer.status}`);
  return answer.body ?? {};
}

/** How often each call and each port-out is in the log. */
export async function readLoggedTraffic(databaseUrl: string): Promise<LoggedTraffic> {
  const rows = await query<{ type: string; what: string; times: number }>(
    databaseUrl,
    `select type, coalesce(payload ->> 'call_id', payload ->> 'phone_number') as what, count(*)::integer as times
      from (select type, convert_from(body, 'UTF8')::jsonb -> 'payload' as payload from events.log
        where type like 'call.%' or type = 'number.ported_out') logged group by 1, 2`,
  );
  const of = (isCall: boolean): Map<string, number> =>
    new Map(
      rows
        .filter(({ type }) => type.startsWith("call.") === isCall)
        .map(({ what, times }) => [what, times]),
    );
  return { calls: of(true), portedOut: of(false) };
}
