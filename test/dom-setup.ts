import { configure } from '@testing-library/react';
import { afterAll } from 'vitest';
import { en } from '#shared/i18n/english-messages.ts';
import { addLazyMessages } from '#web/i18n/translate.ts';

// In the product a part brings its texts along; the architecture test holds that each does.
addLazyMessages(en);

// Dialogs are loaded when they open, and another test may be using the processor.
configure({ asyncUtilTimeout: 5_000 });

// jsdom has no screen to ask. As on a phone: no pointer finer than a finger, nothing wide, nothing dark.
Object.assign(globalThis, {
  matchMedia: (media: string) =>
    Object.assign(new EventTarget(), {
      media,
      matches: false,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    }),
});

// A window that closes with the last test goes back one step in the history a moment later, and needs the page for
// it.
afterAll(() => new Promise((resolve) => setTimeout(resolve, 50)));
