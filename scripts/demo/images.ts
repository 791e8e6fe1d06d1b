/** Draws school logos and photos without people, and uploads them through the product. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { uploadPhotos } from '#features/photos/server/upload.ts';
import { changeLogo } from '#features/schools/server/logos.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { UploadedFile } from '#server/http/multipart.ts';
import { type Acting, asViewer } from '#server/http/viewer.ts';
import { dayIn } from '#shared/calendar-date.ts';
import { COLORS } from './activity-list.ts';
import { SIGN_INS } from './people.ts';
import { at } from './random.ts';

// The background and emblem of each school's logo.
const BACKGROUNDS = ['#0f6e4f', '#7a1f3d', '#0b5394', '#b45f06', '#4a3f8f', '#35605a'];
const EMBLEMS = [
  // A cedar, a sun over hills, waves, an open book, a star, a leaf.
  '<path d="M250 110 L330 235 H290 L355 330 H270 V390 H230 V330 H145 L210 235 H170 Z"/>',
  '<circle cx="250" cy="205" r="62"/><path d="M120 365 Q190 265 262 330 Q312 270 380 365 Z"/>',
  '<path d="M125 225 Q187 165 250 225 T375 225 V270 Q312 330 250 270 T125 270 Z M125 335 Q187 290 250 335 T375 335 V370 H125 Z"/>',
  '<path d="M240 190 Q190 150 125 160 V340 Q190 330 240 370 Z M260 190 Q310 150 375 160 V340 Q310 330 260 370 Z"/>',
  '<path d="M250 115 L288 205 L385 213 L311 276 L334 371 L250 320 L166 371 L189 276 L115 213 L212 205 Z"/>',
  '<path d="M140 360 Q115 190 365 135 Q375 350 205 355 Q245 270 300 220 Q205 270 165 375 Z"/>',
];

const ACTIVITIES = 3;
const PER_ACTIVITY = 4;
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

/** Gives every school a logo. */
export async function addLogos(deps: Deps, acting: Acting): Promise<void> {
  const schools = await deps.database.db.selectFrom('schools').select('id').orderBy('id').execute();
  for (const [index, { id }] of schools.entries()) {
    await withUpload(deps, drawLogo(index), 'logo.png', (file, folder) =>
      changeLogo(deps, acting, { id, ifMatch: undefined, file, folder }),
    );
  }
}

/** Adds photos to the latest activities of the demo's volunteer that have begun; returns how many. */
export async function addPhotos(deps: Deps): Promise<number> {
  const { db } = deps.database;
  const memberships = await db
    .selectFrom('users')
    .innerJoin('user_schools', 'user_schools.user_id', 'users.id')
    .select(['id', 'school_id'])
    .where('email', '=', SIGN_INS.volunteer)
    .orderBy('school_id')
    .execute();
  const schoolIds = memberships.map((row) => row.school_id);
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
  const viewer = asViewer({
    userId: at(memberships, 0).id,
    sessionId: 0,
    role: 'user',
    schoolIds,
    grants: [],
  });
  const request = { at: deps.clock.now(), address: '127.0.0.1', requestId: 'demo', agent: 'demo' };
  const uploads = activities.flatMap(({ id }) => Array.from({ length: PER_ACTIVITY }, () => id));
  for (const [number, activityId] of uploads.entries()) {
    const upload = { caption: at(CAPTIONS, number % CAPTIONS.length) };
    await withUpload(deps, drawScene(number), `IMG_${2041 + number}.jpg`, (file) =>
      uploadPhotos(deps, { viewer, request }, { activityId, upload, files: [file] }, (run) =>
        transaction(deps.database, run),
      ),
    );
  }
  return uploads.length;
}

// Renders an SVG to a temporary file, as if a browser had uploaded it.
async function withUpload(
  { config }: Deps,
  svg: string,
  name: string,
  use: (file: UploadedFile, folder: string) => Promise<unknown>,
): Promise<void> {
  const folder = await mkdtemp(join(config.dataDir, 'drawing-'));
  try {
    const type = name.endsWith('.png') ? 'png' : 'jpeg';
    const content = await sharp(Buffer.from(svg)).toFormat(type, { quality: 90 }).toBuffer();
    const path = join(folder, 'drawn');
    await writeFile(path, content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    await use({ path, name, statedType: `image/${type}`, bytes: content.length, sha256 }, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// A badge with a light border.
function drawLogo(number: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="500" height="500">
    <circle cx="250" cy="250" r="250" fill="${at(BACKGROUNDS, number % BACKGROUNDS.length)}"/>
    <circle cx="250" cy="250" r="222" fill="none" stroke="#ffffff" stroke-opacity="0.7" stroke-width="10"/>
    <g fill="#fdf6e3">${at(EMBLEMS, number % EMBLEMS.length)}</g></svg>`;
}

// Hills, a sun and a row of tables in the colors of the district's categories.
function drawScene(number: number): string {
  const [width, height] = at(SHAPES, number % SHAPES.length);
  const color = (step: number) => at(COLORS, (number * 3 + step) % COLORS.length);
  const tables = Array.from(
    { length: 3 + (number % 3) },
    (_, i) =>
      `<rect x="${8 + i * 18}%" y="78%" width="13%" height="10%" rx="8" fill="${color(i + 2)}" opacity="0.9"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${color(0)}" stop-opacity="0.35"/>
      <stop offset="1" stop-color="#fdf6e3"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="#ffffff"/><rect width="100%" height="100%" fill="url(#sky)"/>
    <circle cx="${15 + ((number * 23) % 70)}%" cy="22%" r="${height / 11}" fill="#f4c95d"/>
    <ellipse cx="20%" cy="88%" rx="60%" ry="32%" fill="${color(1)}" opacity="0.55"/>
    <ellipse cx="85%" cy="95%" rx="65%" ry="36%" fill="${color(4)}" opacity="0.5"/>${tables.join('')}</svg>`;
}
