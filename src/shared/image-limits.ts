/** The largest picture that is read: pixels in all, as of a phone with 48 megapixels, and pixels a side, as of a panorama. */
export const IMAGE_LIMITS = { pixels: 50_000_000, side: 20_000 } as const;
