import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { endAfterTests } from "../lifetime/end-after-tests.ts";

/** One POST as it arrived. */
export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
  stop(): Promise<void>;
}

/**
 * A receiver on a free port that records what it gets and answers 200, or the status that `answer` returns. With `keeps`
 * false it records nothing.
 */
export async function startWebhookReceiver(
  answer: (webhook: ReceivedWebhook) => number | Promise<number> = () => 200,
  { keeps = true }: { readonly keeps?: boolean } = {},
): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { headers, url = "/" } = request;
      const webhook = { path: url, headers, body: Buffer.concat(chunks) };
      if (keeps) received.push(webhook);
      void Promise.resolve(answer(webhook)).then((status) => response.writeHead(status).end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    stop: endAfterTests(
      () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    ),
  };
}
