type Chosen = Pick<File, "name" | "size" | "type">;

/** A phone's photo of a page has 12 MB, and is as readable with a tenth of that. */
const LARGE_BYTES = 4_000_000;
/** Of a page of A4, 270 dots per inch. */
const LONGEST_SIDE = 3_200;
const QUALITY = 0.85;

export function isHeic({ name, type }: Pick<Chosen, "name" | "type">): boolean {
  return /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);
}

/** Whether it is tried to make a JPEG of it: Apple's browsers can read Apple's format. */
export function isToBeSmaller(file: Chosen): boolean {
  const isPhoto = file.type === "image/jpeg" || file.type === "image/png";
  return isHeic(file) || (isPhoto && file.size > LARGE_BYTES);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A size of the same shape whose sides are within the longest; never a larger one. */
export function sizeWithin({ width, height }: Size, longest = LONGEST_SIDE): Size {
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** A large photo as a smaller JPEG; the file itself where that cannot be made, or would be larger. */
export async function smallerPhoto(file: File): Promise<File> {
  if (!isToBeSmaller(file)) return file;
  try {
    const blob = await jpegOf(file);
    if (blob === null || (!isHeic(file) && blob.size >= file.size)) return file;
    return new File([blob], `${file.name.replace(/\.\w+$/, "")}.jpg`, { type: blob.type });
  } catch {
    // The browser cannot read it, and the service has the last word.
    return file;
  }
}

async function jpegOf(file: File): Promise<Blob | null> {
  const picture = await createImageBitmap(file);
  try {
    const size = sizeWithin(picture);
    const canvas = Object.assign(document.createElement("canvas"), size);
    const context = canvas.getContext("2d");
    if (context === null) return null;
    // What is transparent in a PNG would be black in a JPEG.
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, size.width, size.height);
    context.drawImage(picture, 0, 0, size.width, size.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
  } finally {
    picture.close();
  }
}
