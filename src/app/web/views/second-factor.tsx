import { lazyScreen } from '#web/ui/lazy-screen.tsx';
import { CardPage } from './card-page.tsx';

/** The second step of signing in; its code is loaded only by whoever has one. */
export const SecondFactor = lazyScreen(
  async () => (await import('./second-factor-view.tsx')).SecondFactorView,
  ({ failed }) => failed !== undefined && <CardPage>{failed}</CardPage>,
);
