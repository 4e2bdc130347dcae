/**
 * Preloaded into every service of a product (`node --import`): ends it by SIGKILL right after an effect, before its own code
 * learns of it. An effect is a statement that writes, an acknowledged send, committed offsets, or a confirmed position of the
 * log. A service counts from the moment at which the file of its name lies in CRASH_FOLDER, with the number of the effect in it.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Kafka } from "kafkajs";
import pg from "pg";

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Callback = (error: unknown, ...results: unknown[]) => void;

const WRITES = /\b(?:insert|update|delete|commit|call|drop|create)\b/i;
/** Of a status message to the server: the tag, then the position. */
const POSITION = { tag: 0x72, from: 1, to: 9 };

const main = process.argv[1] ?? "";
const order = join(process.env["CRASH_FOLDER"] ?? "", basename(dirname(main)));
let effects = 0;

function countEffect(): void {
  if (!existsSync(order)) {
    effects = 0;
    return;
  }
  effects += 1;
  if (effects < Number(readFileSync(order, "utf8"))) return;
  rmSync(order);
  process.kill(process.pid, "SIGKILL");
}

/** Counts each call that succeeds, whether it reports that by a promise or by a callback. */
function counting(
  of: Record<string, unknown>,
  name: string,
  isEffect: (first: unknown) => boolean,
): void {
  const method = of[name] as Method;
  of[name] = function counted(this: unknown, ...args: unknown[]) {
    if (!isEffect(args[0])) return method.apply(this, args);
    const callback = args.at(-1);
    if (typeof callback === "function") {
      const told: Callback = (error, ...results) => {
        if (error === null || error === undefined) countEffect();
        (callback as Callback)(error, ...results);
      };
      return method.apply(this, [...args.slice(0, -1), told]);
    }
    const result = method.apply(this, args);
    if (!(result instanceof Promise)) {
      countEffect();
      return result;
    }
    return result.then((value: unknown) => {
      countEffect();
      return value;
    });
  };
}

function writes(query: unknown): boolean {
  const text = typeof query === "string" ? query : (query as { text?: unknown } | null)?.text;
  return typeof text === "string" && WRITES.test(text);
}

let confirmed = "";

function confirmsMore(chunk: unknown): boolean {
  if (!Buffer.isBuffer(chunk) || chunk[0] !== POSITION.tag) return false;
  const position = chunk.toString("hex", POSITION.from, POSITION.to);
  const isNew = position !== confirmed;
  confirmed = position;
  return isNew;
}

function countingAll(of: object, names: readonly string[]): void {
  for (const name of names) counting(of as Record<string, unknown>, name, () => true);
}

/** Counts the calls of what kafkajs makes. */
function countingMade(name: "producer" | "consumer", calls: readonly string[]): void {
  const kafka = Kafka.prototype as unknown as Record<string, unknown>;
  const make = kafka[name] as Method;
  kafka[name] = function counted(this: unknown, ...args: unknown[]) {
    const made = make.apply(this, args) as object;
    countingAll(made, calls);
    return made;
  };
}

if (main.endsWith(join("services", basename(order), "main.ts"))) {
  counting(pg.Client.prototype as unknown as Record<string, unknown>, "query", writes);
  counting(
    pg.Connection.prototype as unknown as Record<string, unknown>,
    "sendCopyFromChunk",
    confirmsMore,
  );
  countingMade("producer", ["send", "sendBatch"]);
  countingMade("consumer", ["commitOffsets"]);
}
