import { createHook } from "node:async_hooks";

export interface ConnectCounter {
  /** TCP connections that this process has started, whether or not they were established. */
  readonly begun: number;
  stop(): void;
}

/** Counts at the system call, below DNS, proxies and pools. */
export function countConnects(): ConnectCounter {
  let begun = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === "TCPCONNECTWRAP") begun += 1;
    },
  }).enable();
  return {
    get begun() {
      return begun;
    },
    stop: () => hook.disable(),
  };
}
