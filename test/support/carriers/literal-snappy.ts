/** Snappy's raw format with all bytes as literals: a compressed batch for the broker, built without a codec. */
export function literalSnappy(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [varint(bytes.length)];
  for (let from = 0; from < bytes.length; from += LITERAL) {
    const literal = bytes.subarray(from, from + LITERAL);
    // Tag 61: a literal; its length minus one follows in two bytes.
    const tag = Buffer.from([61 << 2, (literal.length - 1) & 0xff, (literal.length - 1) >> 8]);
    chunks.push(tag, literal);
  }
  return Buffer.concat(chunks);
}

const LITERAL = 65_536;

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return Buffer.from([...bytes, rest]);
}
