import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare } from '#app/server/start.ts';
import { readConfig } from '#server/config.ts';
import { openApiDocument } from '#server/http/openapi.ts';
import { VERSION } from '#server/version.ts';

const FILE = 'docs/api/openapi.json';

// Writes the OpenAPI document of the endpoints of a server on an empty data folder.
const dataDir = mkdtempSync(join(tmpdir(), 'openapi-'));
try {
  const { app } = await prepare(readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }));
  writeFileSync(FILE, `${JSON.stringify(openApiDocument(app.mountedEndpoints, VERSION), null, 1)}\n`);
  await app.close();
  console.log(`Wrote ${FILE}`);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
