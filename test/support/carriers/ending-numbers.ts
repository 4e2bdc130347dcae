import type { Product } from "../product/product.ts";

const FIRST_EXCHANGE = 200;
const EXCHANGES = 800;
/** Numbers of one ending that a file may use. */
const A_FILE = 40;

/**
 * Valid numbers whose last four digits select what the sandbox carrier does. `area` is a code of the file's own, such as
 * `646`: as many runs of the file as there are exchanges for get numbers of their own on one stack.
 */
export function numbersEnding(product: Product, area: string): (...endings: string[]) => string[] {
  // Each run of a file begins its numbers at another place.
  let next = Math.floor(Number(product.newNumber().slice("+1212".length)) / 2_000) * A_FILE;
  return (...endings) => {
    const exchange = FIRST_EXCHANGE + (next % EXCHANGES);
    next += 1;
    return endings.map((ending) => `+1${area}${exchange}${ending}`);
  };
}
