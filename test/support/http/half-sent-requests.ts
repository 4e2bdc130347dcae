import { connect, type Socket } from "node:net";
import { endAfterTests } from "../lifetime/end-after-tests.ts";

export interface HalfSentRequests {
  /** How many of the connections the server has not closed. */
  readonly open: () => number;
  stop(): void;
}

/** Opens connections from an address, each with a request whose headers never end. */
export async function sendHalfRequests(
  url: string,
  { count, localAddress }: { readonly count: number; readonly localAddress: string },
): Promise<HalfSentRequests> {
  const { hostname: host, port } = new URL(url);
  const open = new Set<Socket>();
  const send = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect({ host, port: Number(port), localAddress });
      open.add(socket);
      socket.on("error", () => undefined).resume();
      socket.once("close", () => {
        open.delete(socket);
        resolve();
      });
      socket.write("GET /v2/porting_orders HTTP/1.1\r\nHost: x\r\nX-Slow: ", () => resolve());
    });
  const stop = (): void => {
    for (const socket of open) socket.destroy();
  };
  endAfterTests(stop);
  await Promise.all(Array.from({ length: count }, send));
  return { open: () => open.size, stop };
}
