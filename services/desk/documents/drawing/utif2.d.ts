/** The part of utif2 that is used; the package has no types of its own. */
declare module "utif2" {
  /** A page: its tags by number, such as `t256`, and its pixels once it is decoded. */
  export interface TiffPage {
    readonly [tag: `t${number}`]: readonly (number | string)[] | undefined;
    readonly width?: number;
    readonly height?: number;
    /** Rows from the top, each of whole bytes. */
    readonly data?: Uint8Array;
  }
  const utif: {
    decode(file: Buffer): TiffPage[];
    decodeImage(file: Buffer, page: TiffPage, pages: readonly TiffPage[]): void;
    toRGBA8(page: TiffPage): Uint8Array;
  };
  export default utif;
}
