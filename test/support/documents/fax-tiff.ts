/** The size of its pages, in pixels. */
export const FAX_SIZE = { width: 40, height: 30 } as const;

/** Whether a pixel of a page is black, from 1. */
export function isFaxInk(page: 1 | 2, x: number, y: number): boolean {
  return page === 1 ? (x + y) % 7 < 3 : (x * y) % 5 === 0;
}

/** Two pages as a fax machine sends them: CCITT group 4, written by libtiff. */
export const FAX_TIFF = Buffer.from(
  [
    "SUkqAJQAAAAmsbjcbjcbtJJJJJaSSSSSikkkkkqSSSSSpJJJJKkkkkklSSSSSS0kkkklpJJJJKKSSSSSpJJJJKkk",
    "kkkqSSSSSVJJJJJLSSSSSWkkkkkopJJJJKkkkkkqSSSSSpJJJJJUkkkkktJJJJJaSSSSSikkkkkqSSSSSpJJJJKk",
    "kkkklSSSSSS0kkkklABABAsAAAEDAAEAAAAoAAAAAQEDAAEAAAAeAAAAAgEDAAEAAAABAAAAAwEDAAEAAAAEAAAA",
    "BgEDAAEAAAAAAAAAEQEEAAEAAAAIAAAAEgEDAAEAAAABAAAAFQEDAAEAAAABAAAAFgEDAAEAAAAeAAAAFwEEAAEA",
    "AACMAAAAHAEDAAEAAAABAAAApAEAACag2SrKsqyrKsqyrKv////////xERERJmsqyrKsqyrKsqyr////////8RER",
    "ESZrKsqyrKsqyrKsq/////////EREREmayrKsqyrKsqyrKv////////xERERJmsqyrKsqyrKsqyr////////8RER",
    "ESZrKsqyrKsqyrKsq////////+ACACAACwAAAQMAAQAAACgAAAABAQMAAQAAAB4AAAACAQMAAQAAAAEAAAADAQMA",
    "AQAAAAQAAAAGAQMAAQAAAAAAAAARAQQAAQAAAB4BAAASAQMAAQAAAAEAAAAVAQMAAQAAAAEAAAAWAQMAAQAAAB4A",
    "AAAXAQQAAQAAAIUAAAAcAQMAAQAAAAEAAAAAAAAA",
  ].join(""),
  "base64",
);

/** A TIFF of one page of 8 bits a colour, red, green and blue, uncompressed. */
export function buildColourTiff(
  { width, height }: { readonly width: number; readonly height: number },
  rows = Buffer.alloc(width * height * 3),
): Buffer {
  const entries = [
    [256, width],
    [257, height],
    [258, 8],
    [259, 1],
    [262, 2],
    [273, 8],
    [277, 3],
    [278, height],
    [279, rows.length],
  ] as const;
  const directory = 8 + rows.length;
  const bytes = Buffer.alloc(directory + 2 + entries.length * 12 + 4);
  bytes.write("II*\0", "latin1");
  bytes.writeUInt32LE(directory, 4);
  rows.copy(bytes, 8);
  bytes.writeUInt16LE(entries.length, directory);
  entries.forEach(([tag, value], n) => {
    const at = directory + 2 + n * 12;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(4, at + 2);
    bytes.writeUInt32LE(1, at + 4);
    bytes.writeUInt32LE(value, at + 8);
  });
  return bytes;
}
