/** The largest accepted image: pixels in total (a phone with 48 megapixels), and pixels per side (a panorama). */
export const IMAGE_LIMITS = { pixels: 50_000_000, side: 20_000 } as const;
