import type { Server } from "node:http";

import { AppError } from "../../errors.ts";

/**
 * Listens and returns the port.
 * @throws `invalid_config` naming the port if it is in use or forbidden
 */
export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === "EADDRINUSE" ? "is in use" : `cannot be used (${cause.code ?? ""})`;
      reject(new AppError("invalid_config", `Port ${port} on ${host} ${why}.`, { cause }));
    };
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}
