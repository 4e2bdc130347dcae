import { z } from "zod";
import { createClient, type Client, type HttpPlace } from "../../../infra/demo/demo-client.ts";

/** What the screens show: one of each kind that has something to see. */
export interface Subjects extends HttpPlace {
  readonly caseId: string | null;
  readonly orderId: string;
  /** With a date that its carrier may still move. */
  readonly waitingId: string | null;
  readonly rejectedId: string | null;
  readonly draftId: string | null;
  readonly accountId: string;
  readonly endpointId: string | null;
  readonly deliveryId: string | null;
  /** A new link into the portal, to the account or to an order of it. */
  readonly newLink: (orderId: string | null) => Promise<string>;
}

const row = z.looseObject({ id: z.string(), status: z.string().optional() });
const rows = z.object({ data: z.array(row) });
const cases = z.object({
  data: z.array(z.looseObject({ order_id: z.string(), attempt: z.number() })),
});

async function idsOf(ask: Client, path: string): Promise<string[]> {
  return rows.parse(await ask(path)).data.map(({ id }) => id);
}

/** Of the account with the most orders of the demo, so that its pages are full. */
export async function readSubjects(place: HttpPlace, desk: Client): Promise<Subjects> {
  const open = cases.parse(await desk("/reviews?limit=100")).data;
  const [orderId = ""] = await idsOf(desk, "/orders?status=completed_partial&limit=1");
  const all = z
    .object({ data: z.array(z.looseObject({ account: z.looseObject({ id: z.string() }) })) })
    .parse(await desk("/orders?limit=250")).data;
  const accountId = mostFrequent(all.map(({ account: { id } }) => id));
  const key = await desk(`/accounts/${accountId}/api_keys`, {
    method: "POST",
    body: { name: "screenshots" },
  });
  const api = createClient(`${place.apiUrl}/v2`, z.string().parse(key["key"]));
  const first = async (path: string): Promise<string | null> => (await idsOf(api, path))[0] ?? null;
  const again = open.find(({ attempt }) => attempt > 1) ?? open[0];
  return {
    ...place,
    accountId,
    orderId: orderId === "" ? ((await idsOf(desk, "/orders?limit=1"))[0] ?? "") : orderId,
    caseId: again?.order_id ?? null,
    waitingId: (await idsOf(desk, "/orders?status=foc_scheduled&limit=1"))[0] ?? null,
    rejectedId: await first("/porting_orders?status=rejection&limit=1"),
    draftId: await first("/porting_orders?status=draft&limit=1"),
    endpointId: await first("/webhook_endpoints?limit=1"),
    deliveryId: await first("/webhook_deliveries?limit=1"),
    newLink: async (id) => {
      const body = id === null ? {} : { order_id: id };
      const link = await api("/portal_sessions", { method: "POST", body });
      return z.string().parse(link["url"]);
    },
  };
}

function mostFrequent(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? "";
}
