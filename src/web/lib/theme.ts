import { readStored, writeStored } from './storage.ts';

/** What the colours follow: the device, or a choice made in Settings. */
export const THEMES = ['device', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORED = 'theme';
/** The ground of the page in tokens.css, for the frame that a phone draws around it. */
const GROUNDS = { light: '#f6f7f5', dark: '#111513' } as const;

/** What was chosen on this device. */
export function chosenTheme(): Theme {
  const stored = readStored(STORED);
  return stored === 'light' || stored === 'dark' ? stored : 'device';
}

export function chooseTheme(theme: Theme): void {
  writeStored(STORED, theme === 'device' ? null : theme);
  showTheme();
}

/** Puts the choice on the page; called before anything is drawn. */
export function showTheme(): void {
  const theme = chosenTheme();
  if (theme === 'device') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.getAttribute('media')?.includes('dark') === true ? 'dark' : 'light';
    meta.content = GROUNDS[theme === 'device' ? own : theme];
  }
}
