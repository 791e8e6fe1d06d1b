// Larger ones are no color profiles of a camera.
const LARGEST = 1_000_000;

/**
 * The ICC profile of a HEIC file, in which its numbers are colors; 'p3' where it only names that space, undefined where it
 * says nothing. The decoder gives the numbers alone.
 */
export function profileOf(heic: Buffer): Buffer | 'p3' | undefined {
  const properties = within(heic, ['meta', 'iprp', 'ipco']);
  if (properties === undefined) return undefined;
  const colors = boxesIn(heic, properties).filter(({ type }) => type === 'colr');
  const kindOf = ({ from }: Box) => heic.toString('latin1', from, from + 4);
  const profile = colors.find((box) => ['prof', 'rICC'].includes(kindOf(box)));
  if (profile !== undefined && profile.to - profile.from <= LARGEST) {
    return heic.subarray(profile.from + 4, profile.to);
  }
  // Primaries by the numbers of ITU-T H.273: 12 is Display P3.
  const isP3 = (box: Box) =>
    kindOf(box) === 'nclx' && box.to - box.from >= 6 && heic.readUInt16BE(box.from + 4) === 12;
  return colors.some(isP3) ? 'p3' : undefined;
}

type Box = Readonly<{ type: string; from: number; to: number }>;

function within(heic: Buffer, path: readonly string[]): Box | undefined {
  let box: Box | undefined = { type: '', from: 0, to: heic.length };
  for (const type of path) {
    if (box === undefined) return undefined;
    // Behind the head of 'meta' stand its version and flags.
    const from: number = box.type === 'meta' ? box.from + 4 : box.from;
    box = boxesIn(heic, { ...box, from }).find((one) => one.type === type);
  }
  return box;
}

function boxesIn(heic: Buffer, { from, to }: Box): Box[] {
  const boxes: Box[] = [];
  for (let start = from; start + 8 <= to; ) {
    const size = heic.readUInt32BE(start);
    // Longer ones, of which a size follows, hold pictures only.
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
