/** The largest accepted image: total pixels as of a 48-megapixel phone, and pixels per side as of a panorama. */
export const IMAGE_LIMITS = { pixels: 50_000_000, side: 20_000 } as const;
