// Writes a CycloneDX list of the server's packages, with versions and licenses, to .cache/sbom.cdx.json.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const FILE = '.cache/sbom.cdx.json';
// From the lockfile, because npm reports development packages that are not installed as missing.
const ARGS = ['sbom', '--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx'];

const { status, stdout, stderr, error } = spawnSync('npm', ARGS, {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 ** 2,
});
if (status === 0) {
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, stdout);
  console.log(`${JSON.parse(stdout).components.length} packages are listed in ${FILE}`);
} else {
  const isOld = /Unknown command/.test(`${stderr}${stdout}`);
  console.error(
    isOld ? 'This npm has no sbom command. Use npm 10 or newer.' : (error?.message ?? stderr.trim()),
  );
  process.exitCode = 1;
}
