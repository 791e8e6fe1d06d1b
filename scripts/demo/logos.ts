import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { changeLogo } from '#rooms/schools/server/logos.ts';
import type { Deps } from '#server/deps.ts';
import type { Acting } from '#server/http/viewer.ts';

const SIDE = 500;

// A field and what stands on it, school after school.
const GROUNDS = ['#0f6e4f', '#7a1f3d', '#0b5394', '#b45f06', '#4a3f8f', '#35605a'];
const SIGNS = [
  // A cedar, a sun over hills, waves, an open book, a star, a leaf.
  '<path d="M250 110 L330 235 H290 L355 330 H270 V390 H230 V330 H145 L210 235 H170 Z"/>',
  '<circle cx="250" cy="205" r="62"/><path d="M120 365 Q190 265 262 330 Q312 270 380 365 Z"/>',
  '<path d="M125 225 Q187 165 250 225 T375 225 V270 Q312 330 250 270 T125 270 Z M125 335 Q187 290 250 335 T375 335 V370 H125 Z"/>',
  '<path d="M240 190 Q190 150 125 160 V340 Q190 330 240 370 Z M260 190 Q310 150 375 160 V340 Q310 330 260 370 Z"/>',
  '<path d="M250 115 L288 205 L385 213 L311 276 L334 371 L250 320 L166 371 L189 276 L115 213 L212 205 Z"/>',
  '<path d="M140 360 Q115 190 365 135 Q375 350 205 355 Q245 270 300 220 Q205 270 165 375 Z"/>',
];

/** Gives every school a drawn logo, through the product's own upload. Returns how many there are. */
export async function paintLogos(deps: Deps, { viewer, request }: Acting): Promise<number> {
  const schools = await deps.database.db.selectFrom('schools').select('id').orderBy('id').execute();
  for (const [index, { id }] of schools.entries()) {
    const folder = await mkdtemp(join(deps.config.dataDir, 'drawing-'));
    try {
      const content = await sharp(Buffer.from(drawing(index)))
        .png()
        .toBuffer();
      const path = join(folder, 'drawn.png');
      await writeFile(path, content);
      const sha256 = createHash('sha256').update(content).digest('hex');
      const file = { path, name: 'logo.png', saidType: 'image/png', bytes: content.length, sha256 };
      await changeLogo(deps, viewer, request, { id, ifMatch: undefined, file, folder });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return schools.length;
}

// A badge with a light rim.
function drawing(number: number): string {
  const ground = GROUNDS[number % GROUNDS.length];
  const sign = SIGNS[number % SIGNS.length];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}">
    <circle cx="250" cy="250" r="250" fill="${ground}"/>
    <circle cx="250" cy="250" r="222" fill="none" stroke="#ffffff" stroke-opacity="0.7" stroke-width="10"/>
    <g fill="#fdf6e3">${sign}</g></svg>`;
}
