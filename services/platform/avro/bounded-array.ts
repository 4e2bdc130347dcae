import avro, { type Schema, type Type } from "avsc";

/** avsc's reader, a position in a buffer, which its typings omit. */
interface Tap {
  readonly buf: Buffer;
  pos: number;
  readLong(): number;
}

interface ItemReader {
  _read(tap: Tap): unknown;
  _skip(tap: Tap): void;
}

/**
 * The declared length of the next block, checked against the remaining bytes: every item takes at least
 * one.
 */
function readBlockLength(tap: Tap): number {
  let length = tap.readLong();
  if (length < 0) {
    length = -length;
    tap.readLong();
  }
  if (length > tap.buf.length - tap.pos) throw new RangeError("array is longer than its bytes");
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

/** avsc's `typeHook`: makes every array of a schema a bounded one. */
export function boundArrays(schema: Schema, options: unknown): Type | undefined {
  const isArray = typeof schema === "object" && "type" in schema && schema.type === "array";
  return isArray ? new BoundedArrayType(schema, options) : undefined;
}
