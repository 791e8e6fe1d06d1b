import { afterAll } from 'vitest';

// A window that closes with the last test goes back one step in the history a moment later, and needs the page for
// it.
afterAll(() => new Promise((resolve) => setTimeout(resolve, 50)));
