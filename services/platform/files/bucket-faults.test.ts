import { randomUUID } from "node:crypto";
import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { eventually } from "../../../test/support/eventually.ts";
import { endAfterTests } from "../../../test/support/lifetime/end-after-tests.ts";
import { temporaryFolder } from "../../../test/support/lifetime/temporary-folder.ts";
import { listen } from "../http/routing/listen.ts";
import { createBucketBackend } from "./bucket-storage.ts";
import type { StorageBackend } from "./file-store.ts";

const IDLE_MS = 100;

/** The bucket of a store that answers so. */
async function bucketOf(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<StorageBackend> {
  const server = createServer(answer);
  const port = await listen(server, { host: "127.0.0.1", port: 0 });
  endAfterTests(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  const endpoint = `http://127.0.0.1:${port}`;
  const login = { keyId: "key", secretKey: "secret" };
  const bucket = { name: "documents", region: "us-east-1", endpoint, ...login };
  return createBucketBackend(bucket, temporaryFolder("incoming"), IDLE_MS);
}

function isOpen(path: string): boolean {
  const targets = readdirSync("/proc/self/fd").map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return null;
    }
  });
  return targets.includes(path);
}

describe("a bucket", () => {
  it("that is silent is given up, before it answers", async () => {
    const backend = await bucketOf(() => undefined);
    await expect(backend.open(randomUUID())).rejects.toMatchObject({ code: "internal" });
  });

  it("that falls silent within a file is given up too", async () => {
    const backend = await bucketOf((_request, response) => {
      response.writeHead(200, { "Content-Length": "10" }).write("half");
    });
    await expect(backend.borrow(randomUUID())).rejects.toMatchObject({ code: "internal" });
  });

  it("that refuses a file leaves none open", async () => {
    const backend = await bucketOf((request, response) => {
      const isMark = request.url?.includes("marks/") === true;
      response.writeHead(isMark ? 200 : 403).end();
    });
    const path = join(temporaryFolder("received"), "file");
    writeFileSync(path, Buffer.alloc(1_000_000));
    const received = { path, size: 1_000_000, sha256: "0".repeat(64), head: Buffer.alloc(0) };
    const putting = backend.put(received, randomUUID());
    await expect(putting).rejects.toMatchObject({ code: "unavailable" });
    await eventually(() => expect(isOpen(path)).toBe(false));
  });
});
