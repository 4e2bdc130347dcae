import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The faces of the letter. They hold Latin, Greek, Cyrillic, Hebrew and Arabic letters, and no Chinese ones. */
export type LoaFont = "regular" | "bold" | "oblique";

const resolve = createRequire(import.meta.url);

const FILES: Readonly<Record<LoaFont, string>> = {
  regular: "DejaVuSansCondensed.ttf",
  bold: "DejaVuSansCondensed-Bold.ttf",
  oblique: "DejaVuSansCondensed-Oblique.ttf",
};

function read(file: string): Buffer {
  return readFileSync(resolve.resolve(`dejavu-fonts-ttf/ttf/${file}`));
}

let loaded: Readonly<Record<LoaFont, Buffer>> | null = null;

/** The font files, read once. */
export function loaFonts(): Readonly<Record<LoaFont, Buffer>> {
  loaded ??= {
    regular: read(FILES.regular),
    bold: read(FILES.bold),
    oblique: read(FILES.oblique),
  };
  return loaded;
}
