import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createFileStore, pathOf, type FileStore } from "./file-store.ts";

const LIMITS = { maxBytes: 1_000_000 };
const LONG_AGO = new Date("2020-01-01T00:00:00Z");

let folder: string;
let files: FileStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "file-store-"));
  files = createFileStore(join(folder, "documents"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Every file below the folder, without the folder's own path. */
function everything(): string[] {
  return readdirSync(join(folder, "documents"), { recursive: true, encoding: "utf8" }).filter(
    (name) => !statSync(join(folder, "documents", name)).isDirectory(),
  );
}

const chunks = (...parts: string[]): Readable =>
  Readable.from(parts.map((part) => Buffer.from(part)));

function age(): void {
  for (const name of everything()) utimesSync(join(folder, "documents", name), LONG_AGO, LONG_AGO);
}

describe("a file store", () => {
  it("receives a stream with its size, hash and first bytes, and keeps it under an id", async () => {
    const parts = ["%PDF-1.7 ", "a".repeat(5_000), "the end"];
    const received = await files.receive(chunks(...parts), LIMITS);
    const whole = parts.join("");
    expect(received).toMatchObject({
      size: whole.length,
      sha256: createHash("sha256").update(whole).digest("hex"),
      head: Buffer.from(whole.slice(0, 4_096)),
    });
    const id = randomUUID();
    await files.store(received, id);
    await files.discard(received);
    expect(everything().sort()).toEqual(
      [join(id.slice(-2), id), join("incoming", `${id}.kept`)].sort(),
    );
    const { size, content } = await files.open(id);
    expect(size).toBe(whole.length);
    expect((await buffer(content)).toString()).toBe(whole);
    expect(statSync(pathOf(join(folder, "documents"), id)).mode & 0o777).toBe(0o600);
    for (const inner of ["", "incoming", id.slice(-2)]) {
      expect(statSync(join(folder, "documents", inner)).mode & 0o777).toBe(0o700);
    }
  });

  it("accepts a file of exactly the limit and leaves nothing of a larger one", async () => {
    const exact = await files.receive(chunks("ab", "cd"), { maxBytes: 4 });
    expect(exact.size).toBe(4);
    await files.discard(exact);
    const larger = files.receive(chunks("ab", "cd", "e"), { maxBytes: 4 });
    await expect(larger).rejects.toMatchObject({ code: "payload_too_large" });
    expect(everything()).toEqual([]);
  });

  it("leaves nothing of a broken stream", async () => {
    const broken = Readable.from(
      (function* () {
        yield Buffer.from("half");
        throw new Error("gone");
      })(),
    );
    await expect(files.receive(broken, LIMITS)).rejects.toThrow("gone");
    expect(everything()).toEqual([]);
  });

  it("removes a stored file, and cannot open a missing one", async () => {
    const id = randomUUID();
    await files.write(id, Buffer.from("content"));
    await files.remove(id);
    expect(everything()).toEqual([]);
    await expect(files.open(id)).rejects.toMatchObject({
      code: "not_found",
      message: "The file of this document is no longer stored.",
    });
  });

  it("names a folder that cannot be created", () => {
    writeFileSync(join(folder, "a-file"), "");
    expect(() => createFileStore(join(folder, "a-file"))).toThrow(
      expect.objectContaining({ code: "invalid_config" }),
    );
  });
});

describe("a sweep", () => {
  const sweep = (known: readonly string[], olderThan = new Date("2021-01-01T00:00:00Z")) =>
    files.sweep({
      olderThan,
      findKnown: (ids) => Promise.resolve(new Set(ids.filter((id) => known.includes(id)))),
    });

  it("removes old temporary uploads and stored files without a row, and leaves those with one", async () => {
    const [known, lost] = [randomUUID(), randomUUID()];
    await files.receive(chunks("killed while it came in"), LIMITS);
    await files.write(known, Buffer.from("its row was committed"));
    await files.write(lost, Buffer.from("its row was not"));
    age();
    expect(await sweep([known])).toBe(2);
    expect(everything()).toEqual([join(known.slice(-2), known)]);
    expect(await sweep([])).toBe(0);
    expect(everything()).toHaveLength(1);
  });

  it("leaves files that may still be in use", async () => {
    await files.receive(chunks("coming"), LIMITS);
    await files.write(randomUUID(), Buffer.from("about to be committed"));
    expect(await sweep([])).toBe(0);
    expect(everything()).toHaveLength(3);
  });

  it("checks a file that has its row only once", async () => {
    const id = randomUUID();
    await files.write(id, Buffer.from("settled"));
    expect(await sweep([id])).toBe(0);
    expect(everything()).toEqual([join(id.slice(-2), id)]);
    const never = (): Promise<never> => Promise.reject(new Error("asked again"));
    expect(await files.sweep({ olderThan: new Date(), findKnown: never })).toBe(0);
  });
});
