/** The largest picture that is read: pixels in all, pixels a side, and pixels of a HEIC, which needs more memory. */
export const PICTURE_LIMITS = { pixels: 50_000_000, side: 10_000, heicPixels: 40_000_000 } as const;
