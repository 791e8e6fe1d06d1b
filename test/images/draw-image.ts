import sharp from 'sharp';

/** Draws an image that is red in the upper left quarter, yellow in the lower right one and blue elsewhere. */
export function drawn(width: number, height: number, circle = '#f1c40f') {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#3498db"/><rect width="50%" height="50%" fill="#c0392b"/>
    <rect x="50%" y="50%" width="50%" height="50%" fill="${circle}"/></svg>`;
  return sharp(Buffer.from(svg));
}

/** A JPEG like a phone's, with a GPS position and an orientation (EXIF 1 to 8). */
export function phonePhoto(width: number, height: number, orientation = 1, circle?: string): Promise<Buffer> {
  return drawn(width, height, circle)
    .jpeg({ quality: 92 })
    .withExif({
      IFD0: { Make: 'Phone of a test' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '41/1 52/1 41/1' },
    })
    .withMetadata({ orientation })
    .toBuffer();
}
