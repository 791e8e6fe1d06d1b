import { create } from 'qrcode';

/** A QR code as a path of squares, one unit each, in a square of so many units, for an SVG. */
export function qrCodeOf(text: string): { side: number; path: string } {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const { size: side } = modules;
  const rows = Array.from({ length: side }, (_, y) =>
    Array.from({ length: side }, (_, x) => (modules.get(y, x) ? `M${x} ${y}h1v1h-1z` : '')).join(''),
  );
  return { side, path: rows.join('') };
}
