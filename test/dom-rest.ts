import { afterAll } from 'vitest';

// A window that closes with the last test takes its step of the history back a moment later, and needs the page for it.
afterAll(() => new Promise((resolve) => setTimeout(resolve, 50)));
