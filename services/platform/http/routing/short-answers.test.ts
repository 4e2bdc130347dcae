import { pbkdf2 } from "node:crypto";
import { promisify } from "node:util";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { compress } from "./write-reply.ts";

const THREADS = 4;
const derive = promisify(pbkdf2);

describe("a short answer", () => {
  it.each([
    ["gzip", gunzipSync],
    ["br", brotliDecompressSync],
  ] as const)("is compressed by %s while all threads are busy with others'", async (by, unpack) => {
    const text = JSON.stringify(Array.from({ length: 900 }, (_, n) => ({ n })));
    let ended = 0;
    const busy = Array.from({ length: THREADS }, async () => {
      await derive("long", "work", 200_000, 64, "sha512");
      ended += 1;
    });
    const packed = await compress(text, by);
    expect(ended).toBe(0);
    expect(unpack(packed).toString()).toBe(text);
    await Promise.all(busy);
  });
});
