import type { CarrierRequest } from "../messages/generated/carrier-request.ts";

/** Some days of requests. */
const REMEMBERED = 50_000;

/** What of a request may be otherwise when it is sent again: its time, and the dates as they were set by then. */
interface Asked extends Pick<CarrierRequest, "foc_requested" | "foc_actual"> {
  readonly at: number;
}

/** A request as it was asked for first. */
export interface FirstRequest {
  readonly request: CarrierRequest;
  /** Epoch milliseconds. */
  readonly requestedAt: number;
}

/**
 * Remembers when each request was asked for first, and with what dates: one that is sent again is answered in the same
 * bytes, or the answer would be another update under a known id.
 */
export class FirstAsked {
  readonly #byRequest = new Map<string, Asked>();
  readonly #limit: number;

  constructor(limit = REMEMBERED) {
    this.#limit = limit;
  }

  /** `timestamp` is that of the message, in epoch milliseconds. */
  firstOf(request: CarrierRequest, timestamp: number): FirstRequest {
    const { request_id: id, foc_requested, foc_actual } = request;
    const asked = this.#byRequest.get(id) ?? { at: timestamp, foc_requested, foc_actual };
    this.#byRequest.set(id, asked);
    const [oldest] = this.#byRequest.keys();
    if (oldest !== undefined && this.#byRequest.size > this.#limit) this.#byRequest.delete(oldest);
    const { at: requestedAt, ...dates } = asked;
    return { request: { ...request, ...dates }, requestedAt };
  }
}
