import { z } from "zod";
import { createFileStore, type FileStore } from "./file-store.ts";

/** The settings of a service that reads or writes files. */
export const fileStoreShape = {
  DOCUMENTS_DIR: z.string().min(1).default(".data/documents"),
  /** An S3 bucket for documents; the folder then only holds temporary uploads. */
  DOCUMENTS_BUCKET: z.string().min(3).max(63).optional(),
  DOCUMENTS_BUCKET_REGION: z.string().min(1).default("us-east-1"),
  /** The URL of an S3-compatible store other than Amazon's. */
  DOCUMENTS_BUCKET_ENDPOINT: z.url().optional(),
  /** Without it, credentials come from the AWS SDK's default sources, such as the machine's role. */
  DOCUMENTS_BUCKET_KEY_ID: z.string().optional(),
  DOCUMENTS_BUCKET_SECRET_KEY: z.string().optional(),
};

export type FileStoreConfig = z.output<z.ZodObject<typeof fileStoreShape>>;

/** @throws `invalid_config` if the folder cannot be created */
export async function openFileStore(config: FileStoreConfig): Promise<FileStore> {
  const { DOCUMENTS_DIR: folder, DOCUMENTS_BUCKET: name } = config;
  if (name === undefined) return createFileStore(folder);
  const bucket = {
    name,
    region: config.DOCUMENTS_BUCKET_REGION,
    endpoint: config.DOCUMENTS_BUCKET_ENDPOINT,
    keyId: config.DOCUMENTS_BUCKET_KEY_ID,
    secretKey: config.DOCUMENTS_BUCKET_SECRET_KEY,
  };
  // The AWS client is loaded only if a bucket is configured.
  const { createBucketBackend } = await import("./bucket-storage.ts");
  return createFileStore(folder, (uploads) => createBucketBackend(bucket, uploads));
}
