import { Caller, type ApiRequest } from "../client/caller.ts";
import { ApiError } from "../client/errors.ts";
import type { DeskAccess } from "./access.ts";
import { CliError, EXIT_CODES } from "./errors.ts";

interface ReviewCase {
  readonly state: string;
  readonly requirements?: readonly { readonly slug: string; readonly status: string }[];
}

/** A step of a call, as the call platform would report it. */
type CallStep = Readonly<Record<string, string | number>>;

/** What the sandbox's desk does in place of operators, carriers and the call platform. */
export class DeskClient {
  readonly #caller: Caller;

  constructor({ url, token }: DeskAccess, signal: AbortSignal) {
    const options = { baseUrl: `${url}/desk/v1`, apiKey: token, userAgent: "nps", signal };
    this.#caller = new Caller(options);
  }

  /** The order's latest review case. @throws ApiError `not_found` before there is one */
  review(orderId: string): Promise<ReviewCase> {
    return this.#send({ method: "GET", path: `/reviews/${orderId}` });
  }

  /** Approves everything that is under review and confirms the case. */
  async confirm(orderId: string, { requirements = [] }: ReviewCase): Promise<void> {
    const decisions = requirements
      .filter(({ status }) => status === "requirement-info-under-review")
      .map(({ slug }) => ({ slug, decision: "approve" }));
    await this.#post(`/reviews/${orderId}/decision`, { decisions, confirm: true });
  }

  async comment(orderId: string, body: string): Promise<void> {
    await this.#post(`/orders/${orderId}/comments`, { body });
  }

  async call(step: CallStep): Promise<void> {
    await this.#post("/sandbox/calls", step);
  }

  async moveToProvider(phoneNumber: string, provider: string): Promise<void> {
    await this.#post(`/numbers/${encodeURIComponent(phoneNumber)}/provider`, { provider });
  }

  /** Another carrier asks for a number; returns its reference. */
  async requestPortOut(phoneNumber: string): Promise<string> {
    const { port_out_ref } = await this.#post<{ port_out_ref: string }>("/sandbox/port_outs", {
      phone_numbers: [phoneNumber],
      gaining_carrier: "Other Telecom",
      requested_foc: new Date(Date.now() + 14 * 86_400_000).toISOString(),
    });
    return port_out_ref;
  }

  async completePortOut(ref: string): Promise<void> {
    await this.#post(`/sandbox/port_outs/${ref}/complete`, {});
  }

  #post<T>(path: string, body: object): Promise<T> {
    return this.#send<T>({ method: "POST", path, body });
  }

  /** @throws CliError where the desk refuses the token, which is not the API's key */
  async #send<T>(request: ApiRequest): Promise<T> {
    try {
      return await this.#caller.json<T>(request);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      throw new CliError("The desk refuses its token: see NPS_DESK_TOKEN.", EXIT_CODES.access);
    }
  }
}
