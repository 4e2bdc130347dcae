import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  NoSuchKey,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  type _Object,
} from "@aws-sdk/client-s3";
import { AppError } from "../errors.ts";
import { unreadable, type Mark, type OpenFile, type StorageBackend } from "./file-store.ts";
import { FILE_MODE, type ReceivedFile } from "./temporary-upload.ts";

export interface Bucket {
  readonly name: string;
  readonly region: string;
  /** The URL of an S3-compatible store other than Amazon's; addressed by path. */
  readonly endpoint: string | undefined;
  readonly keyId: string | undefined;
  readonly secretKey: string | undefined;
}

const MARKS = "marks/";
const FILES = "files/";
const NOT_STORED = "The file cannot be stored at the moment. Try again later.";
const CONNECT_MS = 5_000;
/** The longest time that a connection may be silent, in a request, its response or its body. */
const IDLE_MS = 20_000;

function clientOf({ region, endpoint, keyId, secretKey }: Bucket, idleMs: number): S3Client {
  const isNamed = keyId !== undefined && secretKey !== undefined;
  return new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(isNamed ? { credentials: { accessKeyId: keyId, secretAccessKey: secretKey } } : {}),
    requestChecksumCalculation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: idleMs },
  });
}

/**
 * Files in an S3 bucket, which several machines share.
 * @param incomingFolder holds borrowed files while they are in use
 */
export function createBucketBackend(
  bucket: Bucket,
  incomingFolder: string,
  idleMs: number = IDLE_MS,
): StorageBackend {
  const client = clientOf(bucket, idleMs);
  const Bucket = bucket.name;
  const open = async (id: string): Promise<OpenFile> => {
    try {
      const got = await client.send(new GetObjectCommand({ Bucket, Key: FILES + id }));
      if (!(got.Body instanceof Readable)) throw new Error("the object has no body");
      return { size: got.ContentLength ?? 0, content: got.Body };
    } catch (cause) {
      throw unreadable(cause, cause instanceof NoSuchKey);
    }
  };
  const deleteAll = async (keys: readonly string[]): Promise<void> => {
    const Objects = keys.map((Key) => ({ Key }));
    await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
  };
  return {
    put: async (received, id) => {
      try {
        await client.send(new PutObjectCommand({ Bucket, Key: MARKS + id, Body: "kept" }));
        await sendFile(client, received, { Bucket, Key: FILES + id });
      } catch (cause) {
        throw new AppError("unavailable", NOT_STORED, { retryable: true, cause });
      }
    },
    remove: (id) => deleteAll([FILES + id, MARKS + id]),
    open,
    borrow: async (id) => {
      const { content } = await open(id);
      const path = join(incomingFolder, randomUUID());
      const giveBack = (): Promise<void> => rm(path, { force: true });
      try {
        await pipeline(content, createWriteStream(path, { flags: "wx", mode: FILE_MODE }));
      } catch (cause) {
        await giveBack();
        throw new AppError("internal", "A stored file cannot be read.", { cause });
      }
      return { path, giveBack };
    },
    marks: async function* () {
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: MARKS });
      for await (const { Contents = [] } of pages) yield Contents.flatMap(markOf);
    },
    unmark: (id) => deleteAll([MARKS + id]),
  };
}

async function sendFile(
  client: S3Client,
  { path, size, sha256 }: ReceivedFile,
  to: { readonly Bucket: string; readonly Key: string },
): Promise<void> {
  const ChecksumSHA256 = Buffer.from(sha256, "hex").toString("base64");
  const Body = createReadStream(path);
  try {
    await client.send(new PutObjectCommand({ ...to, Body, ContentLength: size, ChecksumSHA256 }));
  } finally {
    // A request that failed leaves it open.
    Body.destroy();
  }
}

function markOf({ Key, LastModified }: _Object): Mark[] {
  if (Key === undefined || LastModified === undefined) return [];
  return [{ id: Key.slice(MARKS.length), madeAt: LastModified }];
}
