import { Client, type buildConnector, type Dispatcher } from "undici";

/** A request whose caller may lose interest in it. */
export interface AbandonableRequest extends Dispatcher.DispatchOptions {
  readonly isAbandoned: () => boolean;
}

type Abandonable = Dispatcher.DispatchOptions & Partial<AbandonableRequest>;

const WANTED = (): boolean => false;

/**
 * One connection, on which one request runs at a time. undici connects once more for a request that was aborted under
 * way, and keeps that connection (nodejs/undici#5845): here it finds that nobody wants it.
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
        else setImmediate(() => callback(new Error("the request was given up"), null));
      },
    });
    this.#current = current;
  }

  override dispatch(options: Abandonable, handler: Dispatcher.DispatchHandler): boolean {
    this.#current.isAbandoned = options.isAbandoned ?? WANTED;
    return super.dispatch(options, handler);
  }
}
