import { Agent, request } from "undici";
import { toStorable } from "../../../../services/domain/event/rules/storable-event.ts";
import { signatureHeaders } from "../../../../services/domain/webhook/rules/signature.ts";
import { newSigningSecret } from "../../../../services/domain/webhook/rules/signing-secret.ts";
import { freshEvent } from "../../../support/orders/event-factory.ts";
import { monotonicMs } from "./monotonic-ms.ts";
import type { Receiver } from "./receiver.ts";

const IN_FLIGHT = 128;

export interface FloorFigures {
  readonly perSecond: number;
  readonly cpuMsPerDelivery: number;
}

/** Only signed POSTs by undici from this process, to each endpoint in turn. */
export async function measureFloor(
  receiver: Receiver,
  { deliveries, endpoints }: { readonly deliveries: number; readonly endpoints: number },
): Promise<FloorFigures> {
  const client = new Agent();
  const secret = newSigningSecret();
  const { id, type, body } = toStorable(freshEvent(crypto.randomUUID()));
  let begun = 0;
  const post = async (url: string): Promise<void> => {
    const signed = signatureHeaders({ eventId: id, body, at: new Date(), secrets: [secret] });
    const headers = {
      "Content-Type": "application/json",
      "Porting-Event-Id": id,
      "Porting-Event-Type": type,
      ...signed,
    };
    const answer = await request(url, { method: "POST", headers, body, dispatcher: client });
    await answer.body.dump();
  };
  const postAll = async (until: number): Promise<void> => {
    while (begun < until) {
      begun += 1;
      await post(receiver.urls[begun % endpoints] ?? "");
    }
  };
  const all = async (until: number): Promise<void> => {
    await Promise.all(Array.from({ length: IN_FLIGHT }, () => postAll(until)));
  };
  await receiver.reset();
  const warm = Math.ceil(deliveries / 4);
  await all(warm);
  const [before, startedMs] = [process.cpuUsage(), monotonicMs()];
  await all(warm + deliveries);
  const seconds = (monotonicMs() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(before);
  await receiver.take(() => secret);
  await client.destroy();
  return {
    perSecond: deliveries / seconds,
    cpuMsPerDelivery: (user + system) / 1_000 / deliveries,
  };
}
