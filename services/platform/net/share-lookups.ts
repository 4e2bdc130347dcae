import type { LookupAddress } from "node:dns";
import type { Resolve } from "./vet-host.ts";

type Callback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/**
 * Shares one lookup of a name between concurrent callers; no result is cached. The system's resolver
 * blocks a thread of a small pool while a name server does not respond: a dead name may block only one.
 */
export function shareLookups(resolve: Resolve): Resolve {
  const underWay = new Map<string, Callback[]>();
  return (hostname, options, callback) => {
    const key = `${options.family ?? 0} ${hostname}`;
    const waiting = underWay.get(key);
    if (waiting !== undefined) {
      waiting.push(callback);
      return;
    }
    const callbacks = [callback];
    underWay.set(key, callbacks);
    resolve(hostname, options, (error, addresses) => {
      underWay.delete(key);
      for (const done of callbacks) done(error, addresses);
    });
  };
}
