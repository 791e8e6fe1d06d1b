// The color profiles of cameras are smaller than this.
const MAX_PROFILE_BYTES = 1_000_000;

/**
 * The ICC color profile of a HEIC file; 'p3' if the file has none but names Display P3, else undefined. Needed because the
 * decoder returns pixel values only.
 */
export function readColorProfile(heic: Buffer): Buffer | 'p3' | undefined {
  const properties = findBox(heic, ['meta', 'iprp', 'ipco']);
  if (properties === undefined) return undefined;
  const colors = listBoxes(heic, properties).filter(({ type }) => type === 'colr');
  const kindOf = ({ from }: Box) => heic.toString('latin1', from, from + 4);
  const profile = colors.find((box) => ['prof', 'rICC'].includes(kindOf(box)));
  if (profile !== undefined && profile.to - profile.from <= MAX_PROFILE_BYTES) {
    return heic.subarray(profile.from + 4, profile.to);
  }
  // Primaries by the numbers of ITU-T H.273: 12 is Display P3.
  const isP3 = (box: Box) =>
    kindOf(box) === 'nclx' && box.to - box.from >= 6 && heic.readUInt16BE(box.from + 4) === 12;
  return colors.some(isP3) ? 'p3' : undefined;
}

type Box = Readonly<{ type: string; from: number; to: number }>;

function findBox(heic: Buffer, path: readonly string[]): Box | undefined {
  let box: Box | undefined = { type: '', from: 0, to: heic.length };
  for (const type of path) {
    if (box === undefined) return undefined;
    // The header of 'meta' is followed by its version and flags.
    const from: number = box.type === 'meta' ? box.from + 4 : box.from;
    box = listBoxes(heic, { ...box, from }).find((one) => one.type === type);
  }
  return box;
}

function listBoxes(heic: Buffer, { from, to }: Box): Box[] {
  const boxes: Box[] = [];
  for (let start = from; start + 8 <= to; ) {
    const size = heic.readUInt32BE(start);
    // Only boxes of image data have a 64-bit size.
    const end = size === 0 || size === 1 ? to : start + size;
    if (size > 1 && size < 8) break;
    boxes.push({
      type: heic.toString('latin1', start + 4, start + 8),
      from: start + 8,
      to: Math.min(end, to),
    });
    start = end;
  }
  return boxes;
}
