import { readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { assetName } from "./asset-name.ts";
import { SITE_PATH } from "./navigation.ts";

export interface Picture {
  readonly url: string;
  /** In pixels, so that a page keeps its place while the picture loads. */
  readonly width: number;
  readonly height: number;
}

const PNG_WIDTH = 16;
const PNG_HEIGHT = 20;

/** The pictures that pages show, PNG files, each an asset that is named by its content. */
export class Pictures {
  readonly #root: string;
  readonly #assets = new Map<string, Buffer>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The files to write, by their names below `assets/`. */
  get assets(): ReadonlyMap<string, Buffer> {
    return this.#assets;
  }

  /** @throws where there is no such file */
  take(file: string): Picture {
    const content = readFileSync(join(this.#root, file));
    const name = assetName(basename(file, extname(file)), extname(file), content);
    this.#assets.set(name, content);
    return {
      url: `${SITE_PATH}/assets/${name}`,
      width: content.readUInt32BE(PNG_WIDTH),
      height: content.readUInt32BE(PNG_HEIGHT),
    };
  }
}
