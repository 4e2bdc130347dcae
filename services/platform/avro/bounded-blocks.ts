import avro, { type Schema, type Type } from "avsc";

/** avsc's reader, a position in a buffer, which its typings omit. */
interface Tap {
  readonly buf: Buffer;
  pos: number;
  /** How many items and entries the value has declared so far; absent for none. */
  declared?: number;
  readLong(): number;
  readString(): string;
  skipString(): void;
}

interface ItemReader {
  _read(tap: Tap): unknown;
  _skip(tap: Tap): void;
}

/**
 * The declared length of the next block, checked against the bytes: every item takes at least one. One without any, such
 * as null, counts as if it did, and those of a whole value are counted together: nested arrays would multiply them.
 */
function readBlockLength(tap: Tap): number {
  let length = tap.readLong();
  if (length < 0) {
    length = -length;
    tap.readLong();
  }
  if (length === 0) return 0;
  tap.declared = (tap.declared ?? 0) + length;
  const most = tap.buf.length;
  if (length > most - tap.pos || tap.declared > most) {
    throw new RangeError("a block is longer than its bytes");
  }
  return length;
}

/**
 * avsc trusts the declared length of an array: ten malicious bytes could make it allocate, or loop over,
 * gigabytes. This type refuses a length that the bytes cannot hold.
 */
class BoundedArrayType extends avro.types.ArrayType {
  _read(this: { readonly itemsType: unknown }, tap: Tap): unknown[] {
    const items = this.itemsType as ItemReader;
    const values: unknown[] = [];
    for (let left = readBlockLength(tap); left !== 0; left = readBlockLength(tap)) {
      for (; left > 0; left -= 1) values.push(items._read(tap));
    }
    return values;
  }

  _skip(tap: Tap): void {
    const items = this.itemsType as unknown as ItemReader;
    for (let left = readBlockLength(tap); left !== 0; left = readBlockLength(tap)) {
      for (; left > 0; left -= 1) items._skip(tap);
    }
  }
}

/** The same for maps. We have none, but others may write them into fields that we skip. */
class BoundedMapType extends avro.types.MapType {
  _read(this: { readonly valuesType: unknown }, tap: Tap): Record<string, unknown> {
    const values = this.valuesType as ItemReader;
    const entries: [string, unknown][] = [];
    for (let left = readBlockLength(tap); left !== 0; left = readBlockLength(tap)) {
      for (; left > 0; left -= 1) entries.push([tap.readString(), values._read(tap)]);
    }
    return Object.fromEntries(entries);
  }

  _skip(tap: Tap): void {
    const values = this.valuesType as unknown as ItemReader;
    for (let left = readBlockLength(tap); left !== 0; left = readBlockLength(tap)) {
      for (; left > 0; left -= 1) {
        tap.skipString();
        values._skip(tap);
      }
    }
  }
}

/** avsc's `typeHook`: makes every array and map of a schema a bounded one. */
export function boundBlocks(schema: Schema, options: unknown): Type | undefined {
  if (typeof schema !== "object" || !("type" in schema)) return undefined;
  if (schema.type === "array") return new BoundedArrayType(schema, options);
  return schema.type === "map" ? new BoundedMapType(schema, options) : undefined;
}
