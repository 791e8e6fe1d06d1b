/** Colors for new categories, in order. Colors the school already uses are skipped. */
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
