import { create } from 'qrcode';
import type { Doc } from './document.ts';

/** Draws an address as a QR code: one path for all modules, with a quiet zone of two modules. */
export function drawQrCode(
  doc: Doc,
  address: string,
  { left, top, size }: { left: number; top: number; size: number },
): void {
  const { modules } = create(address, { errorCorrectionLevel: 'M' });
  const side = size / (modules.size + 4);
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (modules.get(row, column) !== 1) continue;
      doc.rect(left + (column + 2) * side, top + (row + 2) * side, side, side);
    }
  }
  doc.fill('#000000');
}
