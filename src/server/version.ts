import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = join(import.meta.dirname, '../../package.json');

/** The program version from package.json: '0.1.0'. */
export const VERSION: string = JSON.parse(readFileSync(PACKAGE, 'utf8')).version;
