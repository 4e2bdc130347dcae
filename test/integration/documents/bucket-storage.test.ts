/** @tier all */

import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import {
  fileStoreShape,
  openFileStore,
  type FileStore,
} from "../../../services/platform/files/file-store.ts";
import { startBucketServer, type BucketServer } from "../../support/documents/bucket-server.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import { startOwnProduct } from "../../support/product/product.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";

let server: BucketServer;
let folder: string;

beforeAll(async () => {
  server = await startBucketServer();
  folder = temporaryFolder("uploads");
});

function openStore(env: Readonly<Record<string, string>> = {}): Promise<FileStore> {
  const config = { ...server.env, DOCUMENTS_DIR: folder, ...env };
  return openFileStore(z.object(fileStoreShape).parse(config));
}

async function keys(): Promise<string[]> {
  const found = await server.client.send(new ListObjectsV2Command({ Bucket: server.bucket }));
  return (found.Contents ?? []).map(({ Key }) => Key ?? "");
}

const incomingFiles = (): string[] => readdirSync(join(folder, "incoming"));

describe("files in a bucket", () => {
  it("are stored, read, opened by path and removed, and leave nothing behind", async () => {
    const files = await openStore();
    const [id, content] = [randomUUID(), Buffer.from("%PDF-1.7 the letter")];
    await files.write(id, content);
    expect(await keys()).toEqual([`files/${id}`, `marks/${id}`]);
    const { size, content: stored } = await files.open(id);
    expect([size, await buffer(stored)]).toEqual([content.length, content]);
    const lent = await files.lend(id, (path) => {
      expect(incomingFiles()).toHaveLength(1);
      return Promise.resolve(path);
    });
    expect(lent.startsWith(folder)).toBe(true);
    await files.remove(id);
    expect([await keys(), incomingFiles()]).toEqual([[], []]);
    await expect(files.open(id)).rejects.toMatchObject({ code: "not_found" });
    await expect(files.lend(id, () => Promise.resolve())).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("are swept: a file with a row loses its mark, a file without one is removed", async () => {
    const files = await openStore();
    const [known, lost] = [randomUUID(), randomUUID()];
    await files.write(known, Buffer.from("its row was committed"));
    await files.write(lost, Buffer.from("its row was not"));
    const findKnown = (): Promise<Set<string>> => Promise.resolve(new Set([known]));
    expect(await files.sweep({ olderThan: new Date(0), findKnown })).toBe(0);
    expect((await keys()).sort()).toEqual(
      [`files/${known}`, `files/${lost}`, `marks/${lost}`].sort(),
    );
    const tomorrow = new Date(Date.now() + 86_400_000);
    expect(await files.sweep({ olderThan: tomorrow, findKnown })).toBe(1);
    expect(await keys()).toEqual([`files/${known}`]);
    await files.remove(known);
  });

  it("are refused as temporarily unavailable where the bucket is unreachable", async () => {
    const files = await openStore({ DOCUMENTS_BUCKET: "another-bucket" });
    const received = await files.receive(Readable.from([Buffer.from("a")]), { maxBytes: 1 });
    await expect(files.store(received, randomUUID())).rejects.toMatchObject({
      code: "unavailable",
      retryable: true,
    });
    await files.discard(received);
    expect(incomingFiles()).toEqual([]);
  });
});

describe("an order whose documents are in a bucket", () => {
  it("has them checked, its LOA signed, and all of them available for download", async () => {
    const product = await startOwnProduct({
      services: ["api", "desk", "requirement-review", "order-lifecycle", "outbox-relay"],
      env: { ...server.env, DOCUMENTS_DIR: folder },
    });
    try {
      const { apiUrl, apiKey: key } = product;
      const url = `${apiUrl}/v2/porting_orders`;
      const body = { phone_numbers: [product.newNumber()] };
      const made = await call(url, { method: "POST", key, body });
      const orderId = z.string().parse(dataOf(made)[0]?.["id"]);
      await fulfilOrder(product, orderId);
      await submitOrder(product, orderId);
      const stored = (await keys()).filter((name) => name.startsWith("files/"));
      expect(stored).toHaveLength(2);
      await eventually(() => expect(incomingFiles()).toEqual([]));
      for (const name of stored) {
        const headers = { Authorization: `Bearer ${key}` };
        const id = name.slice("files/".length);
        const response = await fetch(`${apiUrl}/v2/documents/${id}`, { headers });
        expect([response.status, response.headers.get("content-type")]).toEqual([
          200,
          "application/pdf",
        ]);
        expect((await response.text()).startsWith("%PDF-")).toBe(true);
      }
    } finally {
      await product.stop();
    }
  });
});
