import { failed, PASSED, truncated, unreadable, type CheckResult } from "./check-result.ts";

/** The file would take more work to open than any real document does. */
export class BudgetExceeded extends Error {
  constructor() {
    super("the file takes too much work to open");
    this.name = "BudgetExceeded";
  }
}

/** What may be spent on one file, whatever it claims to hold; the unit is the spender's. */
export class WorkBudget {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  get left(): number {
    return this.#left;
  }

  /** @throws `BudgetExceeded` */
  spend(amount: number): void {
    this.#left -= amount;
    if (this.#left < 0) throw new BudgetExceeded();
  }
}

/** An A3 page at 1,200 dpi has 280 million pixels; a larger image would not open at the desk. */
const MAX_PIXELS = 300_000_000;
const MAX_SIDE = 65_500;

/** Null where an image of this size, in pixels, can be shown. */
export function findSizeFault(width: number, height: number): CheckResult | null {
  if (width === 0 || height === 0) {
    return failed("document_empty", "The image has a width or height of 0.");
  }
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS) {
    return failed(
      "document_too_many_pixels",
      `The image is too large to be opened: ${width} by ${height} pixels. Scan it at 300 dpi.`,
    );
  }
  return null;
}

const TAG = {
  width: 256,
  height: 257,
  stripOffsets: 273,
  stripBytes: 279,
  tileOffsets: 324,
  tileBytes: 325,
} as const;
const SHORT = 3;
const LONG = 4;
const ENTRY_BYTES = 12;
const MAX_PAGES = 10_000;

/** Entries and their values, over all pages; a scan of 1,000 pages has some 50,000. */
const MOST_READ = 1_000_000;

/** Reads integers in the file's byte order; past the end it throws a RangeError. */
interface Reader {
  readonly budget: WorkBudget;
  readonly u16: (at: number) => number;
  readonly u32: (at: number) => number;
}

function readerOf(bytes: Buffer): Reader {
  const budget = new WorkBudget(MOST_READ);
  return bytes.readUInt8(0) === 0x49
    ? { budget, u16: (at) => bytes.readUInt16LE(at), u32: (at) => bytes.readUInt32LE(at) }
    : { budget, u16: (at) => bytes.readUInt16BE(at), u32: (at) => bytes.readUInt32BE(at) };
}

/** The values of an entry of 16 or 32 bit integers; up to four bytes are in the entry itself. */
function valuesOf({ u16, u32, budget }: Reader, entry: number): number[] {
  const type = u16(entry + 2);
  const count = u32(entry + 4);
  if (type !== SHORT && type !== LONG) return [];
  const size = type === SHORT ? 2 : 4;
  const from = count * size <= 4 ? entry + 8 : u32(entry + 8);
  // Read the last one first: a count beyond the file throws before an array of that length is allocated.
  u16(from + count * size - 2);
  budget.spend(count);
  const read = type === SHORT ? u16 : u32;
  return Array.from({ length: count }, (_, n) => read(from + n * size));
}

function checkPage(bytes: Buffer, reader: Reader, directory: number): CheckResult | null {
  const found = new Map<number, number[]>();
  const wanted = new Set<number>(Object.values(TAG));
  const entries = reader.u16(directory);
  reader.budget.spend(entries);
  for (let n = 0; n < entries; n += 1) {
    const entry = directory + 2 + n * ENTRY_BYTES;
    const tag = reader.u16(entry);
    if (wanted.has(tag)) found.set(tag, valuesOf(reader, entry));
  }
  const first = (tag: number): number => found.get(tag)?.[0] ?? 0;
  const fault = findSizeFault(first(TAG.width), first(TAG.height));
  if (fault !== null) return fault;
  const offsets = found.get(TAG.stripOffsets) ?? found.get(TAG.tileOffsets) ?? [];
  const lengths = found.get(TAG.stripBytes) ?? found.get(TAG.tileBytes) ?? [];
  if (offsets.length === 0) return unreadable("The TIFF contains no image.");
  const isWhole = offsets.every((offset, n) => offset + (lengths[n] ?? 1) <= bytes.length);
  return isWhole ? null : truncated("The TIFF is cut off: part of its data is missing.");
}

/** Where the directory of each page is (TIFF 6.0, section 2); null where they form a loop, or are too many. */
function pageDirectories(reader: Reader): number[] | null {
  const seen = new Set<number>();
  for (let directory = reader.u32(4); directory !== 0;) {
    if (seen.has(directory) || seen.size > MAX_PAGES) return null;
    seen.add(directory);
    directory = reader.u32(directory + 2 + reader.u16(directory) * ENTRY_BYTES);
  }
  return [...seen];
}

/** How many pages a TIFF has that passed its check. */
export function countTiffPages(bytes: Buffer): number {
  return pageDirectories(readerOf(bytes))?.length ?? 0;
}

/** Walks the pages and checks that the data of each is within the file. */
export function checkTiff(bytes: Buffer): CheckResult {
  const reader = readerOf(bytes);
  const directories = pageDirectories(reader);
  if (directories === null) {
    return unreadable("The TIFF is damaged: its list of pages does not end.");
  }
  for (const directory of directories) {
    const fault = checkPage(bytes, reader, directory);
    if (fault !== null) return fault;
  }
  return directories.length > 0 ? PASSED : failed("document_empty", "The TIFF has no pages.");
}
