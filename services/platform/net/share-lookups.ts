import type { LookupAddress } from "node:dns";
import type { Resolve } from "./vet-host.ts";

type Callback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/**
 * One lookup of a name at a time, whose answer all get who asked meanwhile; nothing is kept after it. The system's
 * resolver holds a thread of a small pool for as long as a name server is silent: a dead name may have one of them.
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
      for (const tell of callbacks) tell(error, addresses);
    });
  };
}
