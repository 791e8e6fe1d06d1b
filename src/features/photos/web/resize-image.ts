/** The longest side of an image that is sent, and the JPEG quality. */
const LONGEST_PX = 2560;
const QUALITY = 0.85;

/**
 * Shrinks a large image to a smaller JPEG, upright and without its location. A small image, or one that this browser
 * cannot read, is returned unchanged, because the server does the same to every image anyway.
 */
export async function shrinkImage(file: Blob): Promise<Blob> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const scale = LONGEST_PX / Math.max(bitmap.width, bitmap.height);
    try {
      return scale >= 1 ? file : ((await drawImage(bitmap, scale)) ?? file);
    } finally {
      bitmap.close();
    }
  } catch {
    return file;
  }
}

function drawImage(bitmap: ImageBitmap, scale: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  const context = canvas.getContext('2d');
  if (context === null) return Promise.resolve(null);
  // JPEG has no transparency: transparent areas would turn black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
}
