import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { dayIn } from '#base/calendar-date.ts';
import { uploadPhotos } from '#rooms/photos/server/upload.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { UploadedFile } from '#server/http/multipart.ts';
import { asViewer } from '#server/http/viewer.ts';
import { COLORS } from './activity-ideas.ts';
import { SIGN_INS } from './people.ts';

const PER_ACTIVITY = 4;
const ACTIVITIES = 3;
const SHAPES = [
  [960, 720],
  [720, 960],
  [1120, 630],
  [800, 800],
] as const;

const CAPTIONS = [
  'Setting up the tables',
  'Everybody lends a hand',
  null,
  'The room before the doors opened',
  'Thank you to all who stayed late',
  null,
];

/**
 * Adds drawn pictures to the latest activities of the demo's volunteer that have begun, through the product's own
 * upload: they show what a gallery looks like, with nobody in them.
 */
export async function hangPhotos(deps: Deps): Promise<number> {
  const { db } = deps.database;
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', SIGN_INS.volunteer)
    .executeTakeFirstOrThrow();
  const schools = await db
    .selectFrom('user_schools')
    .select('school_id')
    .where('user_id', '=', user.id)
    .orderBy('school_id')
    .execute();
  const schoolIds = schools.map((row) => row.school_id);
  const activities = await db
    .selectFrom('activities')
    .select('id')
    .where('school_id', 'in', schoolIds)
    .where('is_active', '=', 1)
    .where('active_from', '<=', dayIn(deps.config.timeZone, deps.clock.now()))
    .orderBy('active_from', 'desc')
    .orderBy('id')
    .limit(ACTIVITIES)
    .execute();
  const viewer = asViewer({ userId: user.id, sessionId: 0, role: 'user', schoolIds, grants: [] });
  const request = { at: deps.clock.now(), address: '127.0.0.1', requestId: 'demo', agent: 'demo' };
  const folder = await mkdtemp(join(deps.config.dataDir, 'drawing-'));
  let hung = 0;
  try {
    for (const { id: activityId } of activities) {
      for (let i = 0; i < PER_ACTIVITY; i++) {
        const files = [await drawn(folder, hung)];
        const caption = CAPTIONS[hung % CAPTIONS.length] ?? null;
        await uploadPhotos(deps, { viewer, request }, { activityId, upload: { caption }, files }, (run) =>
          transaction(deps.database, run),
        );
        hung++;
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return hung;
}

// Hills, a sun and a row of tables in the colours of the district's categories.
async function drawn(folder: string, number: number): Promise<UploadedFile> {
  const [width, height] = SHAPES[number % SHAPES.length] ?? SHAPES[0];
  const color = (step: number) => COLORS[(number * 3 + step) % COLORS.length] ?? '#3498db';
  const tables = Array.from(
    { length: 3 + (number % 3) },
    (_, i) =>
      `<rect x="${8 + i * 18}%" y="78%" width="13%" height="10%" rx="8" fill="${color(i + 2)}" opacity="0.9"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${color(0)}" stop-opacity="0.35"/>
      <stop offset="1" stop-color="#fdf6e3"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="#ffffff"/><rect width="100%" height="100%" fill="url(#sky)"/>
    <circle cx="${15 + ((number * 23) % 70)}%" cy="22%" r="${height / 11}" fill="#f4c95d"/>
    <ellipse cx="20%" cy="88%" rx="60%" ry="32%" fill="${color(1)}" opacity="0.55"/>
    <ellipse cx="85%" cy="95%" rx="65%" ry="36%" fill="${color(4)}" opacity="0.5"/>${tables.join('')}</svg>`;
  const content = await sharp(Buffer.from(svg)).jpeg({ quality: 90 }).toBuffer();
  const name = `IMG_${String(2041 + number)}.jpg`;
  const path = join(folder, name);
  await writeFile(path, content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { path, name, saidType: 'image/jpeg', bytes: content.length, sha256 };
}
