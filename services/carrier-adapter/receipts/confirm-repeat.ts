import { sourceOf, writeReceipt } from "../../domain/carrier/receipts.ts";
import { ignored, type ReceiptSubject } from "../../domain/carrier/rules/read-update.ts";
import type { MessageWriter } from "../../messages/bus/outgoing.ts";
import type { Clock } from "../../platform/clock.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";
import type { Claim } from "../store/carrier-requests.ts";

export interface Repeat {
  readonly claim: Exclude<Claim, "first">;
  readonly raw: RawMessage;
  readonly subject: ReceiptSubject;
}

/** The receipt of a message that repeats another one; the same message has its receipt already. */
export async function confirmRepeat(
  writer: MessageWriter & { readonly clock: Clock },
  { claim, raw, subject }: Repeat,
): Promise<void> {
  if (claim === "redelivered") return;
  const outcome = ignored("repeated", "The same update_id came with the same content before.");
  await writeReceipt(writer, { source: sourceOf(raw), subject, outcome, at: writer.clock.now() });
}
