import { test } from 'vitest';
import { IS_FULL } from './test-level.ts';

/** A test of `npm run test:full` alone, because it takes seconds: the gate skips it. */
export const fullTest = test.runIf(IS_FULL);
