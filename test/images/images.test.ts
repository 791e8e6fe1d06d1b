import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { openImageWorkers } from '#server/images/image-workers.ts';
import { openWorkPool } from '#server/process/worker-pool.ts';
import { IS_LONG } from '../test-level.ts';
import { drawn, phonePhoto } from './draw-image.ts';
import { type Turn, turned } from './heic-orientation.ts';
import { children, endChildren } from './kill-child-processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
const pool = openWorkPool();
const pictures = openImageWorkers(pool);
afterAll(() => {
  void pool.close();
  rmSync(folder, { recursive: true });
});

let count = 0;

/** Renders a file to a JPEG of at most 100x100 and a WebP of at most 40x40. */
async function rendered(content: Buffer, name = 'photo.jpg', by = pictures) {
  const place = join(folder, String(++count));
  mkdirSync(place);
  writeFileSync(join(place, name), content);
  const orders = [
    { path: join(place, 'made.jpg'), format: 'jpeg', width: 100, height: 100 },
    { path: join(place, 'made.webp'), format: 'webp', width: 40, height: 40 },
  ] as const;
  const outcome = await by.render({ source: join(place, name), orders });
  return { outcome, jpeg: () => readFileSync(orders[0].path), webp: () => readFileSync(orders[1].path) };
}

const reasonOf = async (content: Buffer, name?: string) => (await rendered(content, name)).outcome;

/** The colour of a corner, two pixels from the edge. */
async function cornerOf(picture: Buffer, corner: 'upper left' | 'lower right' | 'upper right') {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const x = corner === 'upper left' ? 2 : info.width - 3;
  const y = corner === 'lower right' ? info.height - 3 : 2;
  const [red = 0, green = 0, blue = 0] = data.subarray((y * info.width + x) * 3);
  if (blue > 150) return 'blue';
  return red > 150 && green > 120 ? 'yellow' : 'red';
}

describe('an image', () => {
  test.each([
    ['image/jpeg', () => drawn(320, 240).jpeg().toBuffer()],
    ['image/png', () => drawn(320, 240).png().toBuffer()],
    ['image/gif', () => drawn(320, 240).gif().toBuffer()],
    ['image/webp', () => drawn(320, 240).webp().toBuffer()],
    ['image/heic', async () => readFileSync('test/images/phone.heic')],
  ])('of type %s is decoded and re-encoded, even with a wrong file name', async (type, make) => {
    const { outcome, jpeg, webp } = await rendered(await make(), 'essay.txt');
    expect(outcome).toMatchObject({ ok: true, type, width: 320, height: 240 });
    expect(await sharp(jpeg()).metadata()).toMatchObject({ format: 'jpeg', width: 100, height: 75 });
    expect(await sharp(webp()).metadata()).toMatchObject({ format: 'webp', width: 40, height: 30 });
    expect(await cornerOf(jpeg(), 'upper left')).toBe('red');
    expect(await cornerOf(jpeg(), 'lower right')).toBe('yellow');
  });

  test.each([
    [1, 'red', 'yellow'],
    [2, 'blue', 'blue'],
    [3, 'yellow', 'red'],
    [4, 'blue', 'blue'],
    [5, 'red', 'yellow'],
    [6, 'blue', 'blue'],
    [7, 'yellow', 'red'],
    [8, 'blue', 'blue'],
  ])('with EXIF orientation %i is rendered upright', async (orientation, upperLeft, lowerRight) => {
    const { outcome, jpeg } = await rendered(await phonePhoto(320, 240, orientation));
    const isTurned = orientation > 4;
    expect(outcome).toMatchObject({ ok: true, width: isTurned ? 240 : 320, height: isTurned ? 320 : 240 });
    expect(await cornerOf(jpeg(), 'upper left')).toBe(upperLeft);
    expect(await cornerOf(jpeg(), 'lower right')).toBe(lowerRight);
  });

  test.each<[string, Turn[], number, number, string]>([
    ['turned by a quarter (as phones do)', [{ quarters: 3 }], 240, 320, 'blue red blue'],
    ['turned the other way', [{ quarters: 1 }], 240, 320, 'blue yellow blue'],
    ['upside down', [{ quarters: 2 }], 320, 240, 'yellow blue red'],
    ['mirrored (as from a front camera)', [{ mirrored: 'left to right' }], 320, 240, 'blue red blue'],
    ['turned and mirrored', [{ quarters: 3 }, { mirrored: 'left to right' }], 240, 320, 'red blue yellow'],
  ])(
    'whose HEIC container says it is %s is turned only once, even if EXIF repeats it',
    async (_how, turns, width, height, corners) => {
      const content = turns.reduce(turned, readFileSync('test/images/phone.heic'));
      const { outcome, jpeg } = await rendered(content);
      expect(outcome).toMatchObject({ ok: true, width, height });
      const shown = ['upper left', 'upper right', 'lower right'] as const;
      const colours = await Promise.all(shown.map((corner) => cornerOf(jpeg(), corner)));
      expect(colours.join(' ')).toBe(corners);
    },
  );

  test('loses its location, camera and orientation data', async () => {
    const phone = await phonePhoto(320, 240, 6);
    expect((await sharp(phone).metadata()).exif?.includes('Phone of a test')).toBe(true);
    for (const content of [phone, readFileSync('test/images/phone.heic')]) {
      const { jpeg, webp } = await rendered(content);
      for (const made of [jpeg(), webp()]) {
        const { exif, xmp, iptc, icc, orientation } = await sharp(made).metadata();
        expect([exif, xmp, iptc, icc, orientation]).toEqual(Array(5).fill(undefined));
        expect(made.includes('Exif')).toBe(false);
      }
    }
  });

  test('is not enlarged', async () => {
    const { outcome } = await rendered(await drawn(30, 20).png().toBuffer());
    expect(outcome).toMatchObject({
      ok: true,
      made: [
        { width: 30, height: 20 },
        { width: 30, height: 20 },
      ],
    });
  });

  test('with transparency gets a white background as JPEG, and stays transparent as WebP', async () => {
    const clear = await sharp({
      create: { width: 50, height: 50, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer();
    const { jpeg, webp } = await rendered(clear);
    expect([...(await sharp(jpeg()).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255]);
    expect((await sharp(webp()).metadata()).hasAlpha).toBe(true);
  });
});

describe('the colors of a HEIC image', () => {
  const heic = readFileSync('test/images/phone.heic');
  const middleOf = async (picture: Buffer) => {
    const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const at = (Math.floor(info.height / 4) * info.width + Math.floor(info.width / 4)) * 3;
    return [...data.subarray(at, at + 3)];
  };
  const farthest = (one: readonly number[], other: readonly number[]) =>
    Math.max(...one.map((value, at) => Math.abs(value - (other[at] ?? 0))));

  test.each([
    ['an embedded profile', (icc: Buffer) => ({ profile: icc })],
    ['a named space', () => ({ primaries: 12 })],
  ])('stay the same with %s', async (_name, turn) => {
    const plain = await middleOf((await rendered(heic)).jpeg());
    // The same numbers as a PNG in that space, converted by the library.
    const [r = 0, g = 0, b = 0] = plain;
    const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: { r, g, b } } });
    const { icc } = await sharp(await pixel.clone().withIccProfile('p3').png().toBuffer()).metadata();
    const profile = icc ?? Buffer.alloc(0);
    const right = toSrgb([r, g, b]);
    expect(farthest(right, plain)).toBeGreaterThan(8);
    const { jpeg } = await rendered(turned(heic, turn(profile)));
    expect(farthest(await middleOf(jpeg()), right)).toBeLessThan(6);
  });

  // Display P3 to sRGB: both have the same curve.
  function toSrgb(p3: readonly number[]): number[] {
    const [r = 0, g = 0, b = 0] = p3.map((value) => {
      const x = value / 255;
      return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
    });
    return [1.2249 * r - 0.2247 * g, -0.042 * r + 1.0419 * g, -0.0197 * r - 0.0786 * g + 1.0979 * b].map(
      (value) => {
        const x = Math.min(1, Math.max(0, value));
        return Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
      },
    );
  }
});

describe('the check of an uploaded file', () => {
  const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

  test.each([
    ['an SVG', Buffer.from(svg), 'image/svg+xml'],
    ['an HTML page', Buffer.from('<!DOCTYPE html><script>alert(1)</script>'), 'text/html'],
    ['a PDF', Buffer.from('%PDF-1.7 ...'), 'application/pdf'],
    ['a ZIP', Buffer.from('PK\u0003\u0004 ...'), 'application/zip'],
    ['a video', Buffer.from('\0\0\0\u0014ftypisom\0\0\0\0mp42'), 'video/mp4'],
    ['plain text', Buffer.from('Dear diary'), 'unknown'],
    ['an empty file', Buffer.alloc(0), 'empty'],
  ])('rejects %s by its content, even if it is named photo.jpg', async (_name, content, found) => {
    expect(await reasonOf(content)).toEqual({ ok: false, reason: 'type', found });
  });

  test('rejects other image formats, and names them', async () => {
    const tiff = await drawn(20, 20).tiff().toBuffer();
    const avif = await drawn(20, 20).avif().toBuffer();
    expect(await reasonOf(tiff)).toMatchObject({ reason: 'type', found: 'image/tiff' });
    expect(await reasonOf(avif)).toMatchObject({ reason: 'type', found: 'image/avif' });
  });

  test('rejects an image that is also a PDF or a ZIP', async () => {
    const jpeg = await drawn(20, 20).jpeg().toBuffer();
    const zip = Buffer.concat([jpeg, Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)]);
    const chance = Buffer.concat([jpeg, Buffer.from('PK\u0005\u0006'), Buffer.alloc(30, 0xa7)]);
    expect(await reasonOf(chance)).toMatchObject({ ok: true });
    const list = Buffer.alloc(46);
    list.write('PK\u0001\u0002');
    const end = Buffer.alloc(22);
    end.write('PK\u0005\u0006');
    end.writeUInt16LE(1, 10);
    end.writeUInt32LE(list.length, 12);
    const lax = Buffer.concat([jpeg, list, end, Buffer.from('and more')]);
    expect(await reasonOf(lax)).toMatchObject({ reason: 'type', found: 'application/zip' });
    const pdf = Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.from([0xff, 0xfe, 0, 7]),
      Buffer.from('%PDF-'),
      jpeg.subarray(2),
    ]);
    expect(await reasonOf(zip)).toMatchObject({ reason: 'type', found: 'application/zip' });
    expect(await reasonOf(pdf)).toMatchObject({ reason: 'type', found: 'application/pdf' });
  });

  test('rejects a header without image data', async () => {
    for (const head of [
      'GIF89a/*',
      '\u00ff\u00d8\u00ff\u00e0',
      '\u0089PNG\r\n\u001a\n',
      'RIFF\0\0\0\0WEBPVP8 ',
    ]) {
      const content = Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from('*/=1;alert(1)'.repeat(50))]);
      expect(await reasonOf(content)).toEqual({ ok: false, reason: 'unreadable' });
    }
  });

  test('rejects an image with too many pixels before it is decoded', async () => {
    const plain = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#888' } })
        .png({ compressionLevel: 9 })
        .toBuffer();
    expect(await reasonOf(await plain(8000, 6300))).toEqual({ ok: false, reason: 'dimensions' });
    expect(await reasonOf(await plain(20_001, 2))).toEqual({ ok: false, reason: 'dimensions' });
  });

  test('accepts the largest images of phones: a panorama, and a HEIC of 48 megapixels', async () => {
    const panorama = sharp({ create: { width: 16_000, height: 3000, channels: 3, background: '#888' } });
    expect(await reasonOf(await panorama.jpeg().toBuffer())).toMatchObject({ ok: true, width: 16_000 });
    const large = readFileSync('test/images/48-megapixels.heic');
    expect(await reasonOf(large)).toMatchObject({ ok: true, width: 8064, height: 6048 });
  });

  test('accepts an animation of any length, and uses its first frame', async () => {
    const one = await drawn(4, 4).png().toBuffer();
    const all = sharp(Array<Buffer>(130).fill(one), { join: { animated: true } });
    const animation = await all.gif({ keepDuplicateFrames: true }).toBuffer();
    expect(await reasonOf(animation)).toMatchObject({ ok: true, width: 4, height: 4 });
  });

  test('accepts a JPEG that lacks only its end marker', async () => {
    const whole = await drawn(320, 240).jpeg().toBuffer();
    const { outcome, jpeg } = await rendered(whole.subarray(0, -2));
    expect(outcome).toMatchObject({ ok: true, width: 320, height: 240 });
    expect(await cornerOf(jpeg(), 'lower right')).toBe('yellow');
  });

  test.each([
    ['JPEG', () => phonePhoto(320, 240)],
    ['PNG', () => drawn(320, 240).png().toBuffer()],
    ['WebP', () => drawn(320, 240).webp().toBuffer()],
    ['HEIC', async () => readFileSync('test/images/phone.heic')],
  ])('rejects a truncated %s', async (_name, make) => {
    const whole = await make();
    expect(await reasonOf(whole.subarray(0, Math.floor(whole.length * 0.6)))).toEqual({
      ok: false,
      reason: 'unreadable',
    });
  });
});

test('another process renders an image that arrives as an idle process ends', async () => {
  const ownPool = openWorkPool({ idleMs: 30 });
  const own = openImageWorkers(ownPool);
  const photo = await phonePhoto(64, 48);
  await rendered(photo, 'photo.jpg', own);
  for (let again = 0; again < 5; again++) {
    // The timer of the idle process runs first, and its end is not known yet.
    const next = new Promise((resolve) => setTimeout(() => resolve(rendered(photo, 'photo.jpg', own)), 30));
    expect(await next).toMatchObject({ outcome: { ok: true } });
  }
  void ownPool.close();
});

test('an image can wait for a process longer than its own time limit', async () => {
  const limitMs = 3_000;
  const ownPool = openWorkPool();
  const own = openImageWorkers(ownPool, limitMs);
  const stopped = endChildren(1, 'SIGSTOP');
  const reading = rendered(await phonePhoto(64, 48), 'photo.jpg', own);
  await stopped;
  await new Promise((resolve) => setTimeout(resolve, limitMs + 500));
  for (const pid of children()) process.kill(pid, 'SIGCONT');
  expect(await reading).toMatchObject({ outcome: { ok: true } });
  void ownPool.close();
});

describe('an image whose process ends', () => {
  /** Reads a picture in other processes, the first of which are ended. */
  async function readWhile(times: number, signal: NodeJS.Signals) {
    const ownPool = openWorkPool();
    const own = openImageWorkers(ownPool);
    const ended = endChildren(times, signal);
    try {
      const { outcome } = await rendered(await phonePhoto(640, 480), 'photo.jpg', own);
      return outcome;
    } finally {
      expect(await ended).toBe(times);
      void ownPool.close();
    }
  }

  test.each([
    ['once by a kill is still rendered', 1, 'SIGKILL', { ok: true }],
    ['once by a crash is still rendered', 1, 'SIGSEGV', { ok: true }],
    ['twice by a crash is rejected as unreadable', 2, 'SIGSEGV', { ok: false, reason: 'unreadable' }],
  ] as const)('%s', async (_how, times, signal, expected) => {
    expect(await readWhile(times, signal)).toMatchObject(expected);
  });

  test('twice by a kill can be uploaded again', async () => {
    await expect(readWhile(2, 'SIGKILL')).rejects.toMatchObject({
      kind: 'unavailable',
      details: { retryAfterSeconds: expect.any(Number) },
    });
  });

  test('because its program is missing can be uploaded again', async () => {
    const { execPath } = process;
    const ownPool = openWorkPool();
    const without = openImageWorkers(ownPool);
    process.execPath = '/nowhere/node';
    try {
      const source = join(folder, 'without.jpg');
      writeFileSync(source, await phonePhoto(64, 48));
      await expect(without.render({ source, orders: [] })).rejects.toMatchObject({ kind: 'unavailable' });
    } finally {
      process.execPath = execPath;
      void ownPool.close();
    }
  });
});

test("an image beyond the queue's limit is rejected with a retry time, and the others are rendered", async () => {
  const ownPool = openWorkPool();
  const own = openImageWorkers(ownPool);
  const source = join(folder, 'waiting.png');
  writeFileSync(source, await drawn(8, 6).png().toBuffer());
  const asked = Array.from({ length: 106 }, () => own.render({ source, orders: [] }));
  const outcomes = await Promise.allSettled(asked);
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused.length).toBeGreaterThan(0);
  for (const reason of refused) {
    expect(reason).toMatchObject({ kind: 'busy', text: 'shared:busy', details: { retryAfterSeconds: 10 } });
  }
  expect(outcomes.length - refused.length).toBeGreaterThan(100);
  await ownPool.close();
});

test('a damaged image neither ends the server nor blocks the next one', async () => {
  const seeds = await Promise.all([
    phonePhoto(64, 48),
    drawn(64, 48).png().toBuffer(),
    drawn(64, 48).gif().toBuffer(),
    drawn(64, 48).webp().toBuffer(),
  ]);
  // Each in a new process, which takes a hundred times as long.
  const heic = readFileSync('test/images/phone.heic');
  let state = 20_260_304;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const rounds = IS_LONG ? 20_000 : 500;
  const outcomes = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const damaged = Buffer.from(round % 100 === 99 ? heic : (seeds[round % seeds.length] ?? []));
    for (let i = 0; i < 1 + random(8); i++) damaged[random(damaged.length)] = random(256);
    const outcome = await reasonOf(damaged);
    outcomes.add(outcome.ok ? 'read' : outcome.reason);
    rmSync(join(folder, String(count)), { recursive: true });
  }
  if (IS_LONG) console.log(`damaged pictures: ${rounds}, which were ${[...outcomes].join(', ')}`);
  expect([...outcomes].sort()).toEqual(expect.arrayContaining(['read', 'type', 'unreadable']));
  expect(await reasonOf(await phonePhoto(64, 48))).toMatchObject({ ok: true });
}, 3_600_000);

test('images are rendered if the product’s path contains spaces and special characters', async () => {
  const product = join(folder, 'a space #1 ü');
  for (const part of ['src/shared', 'src/server', 'package.json']) {
    cpSync(part, join(product, part), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(product, 'node_modules'));
  const photo = join(folder, 'source');
  writeFileSync(photo, await drawn(32, 24).png().toBuffer());
  const order = { path: join(folder, 'made.webp'), format: 'webp', width: 40, height: 40 };
  const script = `
    import { openImageWorkers } from ${JSON.stringify(pathToFileURL(join(product, 'src/server/images/image-workers.ts')))};
    import { openWorkPool } from ${JSON.stringify(pathToFileURL(join(product, 'src/server/process/worker-pool.ts')))};
    const pool = openWorkPool();
    const pictures = openImageWorkers(pool);
    const made = await pictures.render(${JSON.stringify({ source: photo, orders: [order] })});
    void pool.close();
    console.log(JSON.stringify(made));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, type: 'image/png' });
});
