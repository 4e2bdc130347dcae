import type { CarrierRequest } from "../messages/generated/carrier-request.ts";

/** Enough for several days of requests. */
const REMEMBERED = 50_000;

/** The parts of a request that may change when it is sent again: its time and its dates. */
interface Asked extends Pick<CarrierRequest, "foc_requested" | "foc_actual"> {
  readonly at: number;
}

/** A request as it was first received. */
export interface FirstRequest {
  readonly request: CarrierRequest;
  /** Epoch milliseconds. */
  readonly requestedAt: number;
}

/**
 * Remembers when each request first arrived, and with which dates. A repeated request must get the same
 * bytes, or its updates would differ under known ids.
 */
export class FirstAsked {
  readonly #byRequest = new Map<string, Asked>();
  readonly #limit: number;

  constructor(limit = REMEMBERED) {
    this.#limit = limit;
  }

  /** `requestedAt` in epoch milliseconds, as the request or else its message has it. */
  firstOf(request: CarrierRequest, requestedAt: number): FirstRequest {
    const { request_id: id, foc_requested, foc_actual } = request;
    const asked = this.#byRequest.get(id) ?? { at: requestedAt, foc_requested, foc_actual };
    this.#byRequest.set(id, asked);
    const [oldest] = this.#byRequest.keys();
    if (oldest !== undefined && this.#byRequest.size > this.#limit) this.#byRequest.delete(oldest);
    const { at, ...dates } = asked;
    return { request: { ...request, ...dates }, requestedAt: at };
  }
}
