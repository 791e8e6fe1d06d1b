/** The longest side of what is sent, and how much of it JPEG keeps. */
const LONGEST_PX = 2560;
const QUALITY = 0.85;

/**
 * A large picture as a smaller JPEG, upright and without the place where it was taken; a small one, and one that this
 * browser cannot read, as it is: the server does the same to all of them.
 */
export async function shrunk(file: Blob): Promise<Blob> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const scale = LONGEST_PX / Math.max(bitmap.width, bitmap.height);
    try {
      return scale >= 1 ? file : ((await drawn(bitmap, scale)) ?? file);
    } finally {
      bitmap.close();
    }
  } catch {
    return file;
  }
}

function drawn(bitmap: ImageBitmap, scale: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  const pen = canvas.getContext('2d');
  if (pen === null) return Promise.resolve(null);
  // JPEG has no transparency: it would turn black.
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
}
