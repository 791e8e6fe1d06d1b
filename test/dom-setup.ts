import { configure } from '@testing-library/react';
import { afterAll } from 'vitest';
import { en } from '#shared/i18n/english-messages.ts';
import { addLazyMessages } from '#web/i18n/translate.ts';

// In the product each lazy component loads its own messages, which the architecture test checks.
addLazyMessages(en);

// Dialogs are lazy, and another test may be using the CPU.
configure({ asyncUtilTimeout: 5_000 });

// jsdom has no media queries. All are false, as on a phone in light mode.
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

// When a dialog closes with the last test, it goes back in the history a moment later, which needs the page.
afterAll(() => new Promise((resolve) => setTimeout(resolve, 50)));
