import { Client, type buildConnector, type Dispatcher } from "undici";

/** A request on behalf of an account that its caller may abandon. */
export interface AbandonableRequest extends Dispatcher.DispatchOptions {
  readonly owner: string;
  readonly isAbandoned: () => boolean;
}

/** Opens a connection on behalf of an account. */
export type OwnedConnector = (
  target: buildConnector.Options,
  owner: string,
  callback: buildConnector.Callback,
) => void;

type Abandonable = Dispatcher.DispatchOptions & Partial<AbandonableRequest>;

interface Current {
  owner: string;
  isAbandoned: () => boolean;
}

const WANTED = (): boolean => false;

/**
 * One connection with one request at a time. undici reconnects for a request that was aborted in progress
 * and keeps that connection (nodejs/undici#5845); this client refuses to connect for it.
 */
export class OneRequestClient extends Client {
  readonly #current: Current;

  constructor(origin: URL, options: Client.Options, connect: OwnedConnector) {
    const current: Current = { owner: "", isAbandoned: WANTED };
    super(origin, {
      ...options,
      pipelining: 1,
      connect: (target, callback) => {
        if (!current.isAbandoned()) connect(target, current.owner, callback);
        else setImmediate(() => callback(new Error("the request was abandoned"), null));
      },
    });
    this.#current = current;
  }

  override dispatch(options: Abandonable, handler: Dispatcher.DispatchHandler): boolean {
    this.#current.owner = options.owner ?? "";
    this.#current.isAbandoned = options.isAbandoned ?? WANTED;
    return super.dispatch(options, handler);
  }
}
