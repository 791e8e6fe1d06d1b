import { afterEach } from 'vitest';
import { settleVisits } from './browser.ts';

afterEach(({ task }) => settleVisits(task));
