import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atEnd } from '#test/after-each-file.ts';
import { checkDistrictIdentity, storeDistrictIdentity } from './district-identity-check.ts';

test('an empty database file counts as a missing district, not as a new one', async () => {
  const around = mkdtempSync(join(tmpdir(), 'volunteer-time-known-'));
  atEnd(() => rmSync(around, { recursive: true }));
  const place = {
    dataDir: join(around, 'data'),
    databaseUrl: undefined,
    secretKey: undefined,
    backup: undefined,
  };
  mkdirSync(place.dataDir);
  storeDistrictIdentity(place, 'a'.repeat(64));
  writeFileSync(join(place.dataDir, 'volunteer-time.db'), '');
  await expect(checkDistrictIdentity(place)).rejects.toThrow('contains no district');
});
