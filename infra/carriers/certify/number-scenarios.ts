import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Kit } from "./kit.ts";
import { notDone } from "./shortfalls.ts";

const FORWARD_TO = "+12125550177";
const GAINING_CARRIER = "Certification Telecom";
const DAY_MS = 86_400_000;

const portOuts = z.object({ data: z.array(z.object({ id: z.string(), status: z.string() })) });

/** The customer forwards a number's calls: the integration takes the request, and reports no call that is refused. */
export async function playCalls(kit: Kit, phoneNumber: string): Promise<string> {
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
export async function playPortOut(kit: Kit, phoneNumber: string): Promise<string> {
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
