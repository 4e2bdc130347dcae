import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { endAfterTests } from "../lifetime/end-after-tests.ts";

/** A listener whose connections are counted and can all be ended. */
export interface Listening {
  readonly port: number;
  /** Connections open now. */
  readonly open: number;
  /** Connections accepted since the start. */
  readonly accepted: number;
  stop(): void;
}

/** Listens on a free port, or the one given. */
export async function listenWith(
  server: Server,
  { host = "127.0.0.1", port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<Listening> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on("connection", (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const stop = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  endAfterTests(stop);
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    get open() {
      return sockets.size;
    },
    get accepted() {
      return accepted;
    },
    stop,
  };
}

/** A receiver below HTTP: `answer` is called for every chunk that arrives; a short webhook is one chunk. */
export function startRawReceiver(
  answer: (socket: Socket) => void,
  tls: TlsOptions | null = null,
): Promise<Listening> {
  const serve = (socket: Socket): void => {
    socket.on("error", () => undefined);
    socket.on("data", () => answer(socket));
  };
  return listenWith(tls === null ? createServer(serve) : createTlsServer(tls, serve));
}
