import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

const SIZE_MB = 768;
const BALLAST = ".ballast";
const CHUNKS = [1024 * 1024, 4 * 1024];

/** A small file system in memory, which can be filled; mounting it takes root. */
export class SmallDisk {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static mount(folder: string): SmallDisk {
    mkdirSync(folder, { mode: 0o755 });
    const options = `size=${SIZE_MB}m,mode=0755`;
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "porting-faults", folder]);
    return new SmallDisk(folder);
  }

  /** Writes until no byte is free. */
  fill(): void {
    const file = openSync(join(this.#folder, BALLAST), "a");
    try {
      for (const size of CHUNKS) writeUntilFull(file, Buffer.alloc(size));
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(join(this.#folder, BALLAST), { force: true });
  }

  unmount(): void {
    execFileSync("umount", ["--lazy", this.#folder]);
  }
}

function writeUntilFull(file: number, chunk: Buffer): void {
  try {
    for (;;) writeSync(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
