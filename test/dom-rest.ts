import { afterAll } from 'vitest';
import { en } from '#text/en.ts';
import { bringTexts } from '#web/lib/text.ts';

// In the product a part brings its texts along; the architecture test holds that each does.
bringTexts(en);

// A window that closes with the last test goes back one step in the history a moment later, and needs the page for
// it.
afterAll(() => new Promise((resolve) => setTimeout(resolve, 50)));
