type Rgb = readonly [red: number, green: number, blue: number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** The darkest surface that a link stands on in light colours, and the lightest in dark ones (tokens.css). */
const LIGHT_SURFACE: Rgb = [228, 237, 253];
const DARK_SURFACE: Rgb = [34, 40, 51];
/** Of text on what is behind it (WCAG 2.2, 1.4.3). */
const READABLE = 4.5;
const STEP = 0.02;

/** The colours that the page takes from a customer's one. */
export interface BrandColours {
  /** Behind white text. */
  readonly fill: string;
  readonly fillHover: string;
  /** Of links on light surfaces, and on dark ones. */
  readonly textOnLight: string;
  readonly textOnDark: string;
}

/** A colour `#rrggbb` as it is used: made darker or lighter where text could not be read. */
export function brandColours(colour: string): BrandColours {
  const own = rgbOf(colour);
  const fill = towards(BLACK, own, WHITE);
  return {
    fill: hexOf(fill),
    fillHover: hexOf(mixed(fill, BLACK, 0.12)),
    textOnLight: hexOf(towards(BLACK, own, LIGHT_SURFACE)),
    textOnDark: hexOf(towards(WHITE, own, DARK_SURFACE)),
  };
}

/** The contrast of two colours `#rrggbb`: from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  return contrast(rgbOf(one), rgbOf(other));
}

function towards(end: Rgb, start: Rgb, behind: Rgb): Rgb {
  for (let share = 0; share < 1; share += STEP) {
    const tried = mixed(start, end, share);
    if (contrast(tried, behind) >= READABLE) return tried;
  }
  return end;
}

/** Whole numbers, as a browser shows them. */
function mixed([r, g, b]: Rgb, [toR, toG, toB]: Rgb, share: number): Rgb {
  const between = (from: number, to: number): number => Math.round(from + (to - from) * share);
  return [between(r, toR), between(g, toG), between(b, toB)];
}

function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** As WCAG defines it. */
function luminance([red, green, blue]: Rgb): number {
  const linear = (channel: number): number => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function rgbOf(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

function hexOf(rgb: Rgb): string {
  return `#${rgb.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
