import type { CarrierRequest } from "../messages/generated/carrier-request.ts";
import type { CarrierUpdate } from "../messages/generated/carrier-update.ts";
import type { Sparse } from "../messages/sparse.ts";
import { derivedId } from "../platform/ids.ts";
import { portDate } from "./port-date.ts";

export type Update = Sparse<CarrierUpdate>;

/** When the script was asked for, in epoch milliseconds, and how long its steps take. */
export interface ScriptTime {
  readonly requestedAt: number;
  readonly stepMs: number;
}

type Word = Pick<Update, "kind" | "raw_status"> & Partial<Update>;

function wordsFor(request: CarrierRequest, time: ScriptTime): readonly Word[] {
  if (request.kind === "cancel") return [{ kind: "cancel_confirmed", raw_status: "CANCELLED" }];
  const numbers = request.phone_numbers ?? [];
  const focAt = request.foc_requested ?? portDate(new Date(time.requestedAt), numbers[0] ?? "");
  return [
    { kind: "acknowledged", raw_status: "RECEIVED" },
    { kind: "date_confirmed", raw_status: "FOC", foc_at: focAt },
    { kind: "activating", raw_status: "IN_CUTOVER" },
    ...numbers.map((number): Word => ({
      kind: "number_active",
      raw_status: "PORTED",
      phone_numbers: [number],
    })),
  ];
}

/**
 * Everything that the sandbox carrier will say about a submit, a supplement or a cancel. It follows from the request alone, so that
 * whoever plays it again says the same under the same ids.
 */
export function scriptFor(request: CarrierRequest, time: ScriptTime): readonly Update[] {
  return wordsFor(request, time).map((word, step) => ({
    ...word,
    update_id: derivedId(`${request.request_id}/${step}`),
    provider: request.provider,
    order_id: request.order_id ?? "",
    request_version: request.request_version ?? 0,
    occurred_at: time.requestedAt + (step + 1) * time.stepMs,
  }));
}
