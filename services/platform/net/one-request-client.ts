import { Client, type buildConnector, type Dispatcher } from "undici";

/** A request that its caller may abandon. */
export interface AbandonableRequest extends Dispatcher.DispatchOptions {
  readonly isAbandoned: () => boolean;
}

type Abandonable = Dispatcher.DispatchOptions & Partial<AbandonableRequest>;

const WANTED = (): boolean => false;

/**
 * One connection with one request at a time. undici reconnects for a request that was aborted in progress
 * and keeps that connection (nodejs/undici#5845); this client refuses to connect for it.
 */
export class OneRequestClient extends Client {
  readonly #current: { isAbandoned: () => boolean };

  constructor(origin: URL, options: Client.Options, connect: buildConnector.connector) {
    const current = { isAbandoned: WANTED };
    super(origin, {
      ...options,
      pipelining: 1,
      connect: (target, callback) => {
        if (!current.isAbandoned()) connect(target, callback);
        else setImmediate(() => callback(new Error("the request was abandoned"), null));
      },
    });
    this.#current = current;
  }

  override dispatch(options: Abandonable, handler: Dispatcher.DispatchHandler): boolean {
    this.#current.isAbandoned = options.isAbandoned ?? WANTED;
    return super.dispatch(options, handler);
  }
}
