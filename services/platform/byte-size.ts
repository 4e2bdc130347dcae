const KIB = 1024;
const MIB = 1024 * KIB;

/** A bound as the documentation names it: whole MiB or KiB where it is one, such as `20 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes >= MIB && bytes % MIB === 0) return `${bytes / MIB} MiB`;
  if (bytes >= KIB && bytes % KIB === 0) return `${bytes / KIB} KiB`;
  return `${bytes.toLocaleString("en")} bytes`;
}
