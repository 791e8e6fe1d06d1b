/** A property of a HEIC container: rotation in quarters (counter-clockwise), mirroring, or a color profile. */
export type Turn = Readonly<
  | { quarters: 1 | 2 | 3 }
  | { mirrored: 'top to bottom' | 'left to right' }
  | { profile: Buffer }
  | { primaries: number }
>;

type Box = Readonly<{ type: string; start: number; head: number; end: number }>;

/** Adds a property to the first image of a HEIC file, like a phone does: `irot`, `imir` or `colr`. */
export function turned(heic: Buffer, turn: Turn): Buffer {
  const meta = one(boxesIn(heic, 0, heic.length), 'meta');
  const parts = boxesIn(heic, meta.head + 4, meta.end);
  const iprp = one(parts, 'iprp');
  const [ipco, ipma] = ['ipco', 'ipma'].map((type) => one(boxesIn(heic, iprp.head, iprp.end), type));
  if (ipco === undefined || ipma === undefined) throw new Error('a HEIC file without properties');
  const property = propertyOf(turn);
  const number = boxesIn(heic, ipco.head, ipco.end).length + 1;
  // The first entry is the image; the encoder may add its thumbnail.
  const countAt = ipma.head + 8 + (heic.readUInt8(ipma.head) === 0 ? 2 : 4);
  const count = heic.readUInt8(countAt);
  if ((heic.readUInt8(ipma.head + 3) & 1) === 1) throw new Error('properties of two bytes each');

  const changed = Buffer.from(heic);
  const grown = property.length + 1;
  for (const [box, by] of [
    [meta, grown],
    [iprp, grown],
    [ipco, property.length],
    [ipma, 1],
  ] as const) {
    changed.writeUInt32BE(changed.readUInt32BE(box.start) + by, box.start);
  }
  changed.writeUInt8(count + 1, countAt);
  moveContents(changed, one(parts, 'iloc'), grown);
  const last = countAt + 1 + count;
  return Buffer.concat([
    changed.subarray(0, ipco.end),
    property,
    changed.subarray(ipco.end, last),
    // Marked essential: a reader that does not support it must not show the image.
    Buffer.from([0x80 | number]),
    changed.subarray(last),
  ]);
}

function propertyOf(turn: Turn): Buffer {
  if ('profile' in turn || 'primaries' in turn) {
    const colors = 'profile' in turn ? turn.profile : Buffer.from([0, turn.primaries, 0, 13, 0, 6, 0x80]);
    const box = Buffer.concat([
      Buffer.alloc(4),
      Buffer.from('profile' in turn ? 'colrprof' : 'colrnclx'),
      colors,
    ]);
    box.writeUInt32BE(box.length, 0);
    return box;
  }
  const [type, value] =
    'quarters' in turn ? ['irot', turn.quarters] : ['imir', turn.mirrored === 'top to bottom' ? 0 : 1];
  return Buffer.concat([Buffer.from([0, 0, 0, 9]), Buffer.from(type), Buffer.from([value])]);
}

// Whatever follows the properties is now further back; its offsets count from the file's beginning.
function moveContents(heic: Buffer, iloc: Box, by: number): void {
  const version = heic.readUInt8(iloc.head);
  const sizes = heic.readUInt16BE(iloc.head + 4);
  const [offset, length, base] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  if (version > 1 || offset !== 4 || length !== 4 || base > 4) throw new Error('another kind of places');
  let at = iloc.head + 8;
  for (let item = 0; item < heic.readUInt16BE(iloc.head + 6); item++) {
    const isInFile = version === 0 || (heic.readUInt16BE(at + 2) & 15) === 0;
    at += (version === 0 ? 4 : 6) + base;
    const extents = heic.readUInt16BE(at);
    at += 2;
    for (let extent = 0; extent < extents; extent++, at += 8) {
      if (isInFile) heic.writeUInt32BE(heic.readUInt32BE(at) + by, at);
    }
  }
}

function boxesIn(bytes: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  for (let start = from; start + 8 <= to; ) {
    const size = bytes.readUInt32BE(start);
    if (size < 8) throw new Error('a box without an end');
    boxes.push({
      type: bytes.toString('latin1', start + 4, start + 8),
      start,
      head: start + 8,
      end: start + size,
    });
    start += size;
  }
  return boxes;
}

function one(boxes: readonly Box[], type: string): Box {
  const found = boxes.find((box) => box.type === type);
  if (found === undefined) throw new Error(`a HEIC file without ${type}`);
  return found;
}
