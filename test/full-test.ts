import { test } from 'vitest';
import { IS_FULL } from './test-level.ts';

/** A test that runs only in `npm run test:full`, because it takes seconds. */
export const fullTest = test.runIf(IS_FULL);
