/** Colors for new categories, in this order, as far as the school does not use them yet. */
export const PALETTE = [
  '#2f855a',
  '#2b6cb0',
  '#b7791f',
  '#9b2c2c',
  '#6b46c1',
  '#0f766e',
  '#c05621',
  '#b83280',
] as const;
