import { CardPage } from '#features/schools/district-settings/web/card-page.tsx';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';

/** The second step of signing in, loaded only for users with a second factor. */
export const SecondFactor = lazyScreen(
  async () => (await import('./two-factor-sign-in-screen.tsx')).SecondFactorView,
  ({ failed }) => failed !== undefined && <CardPage>{failed}</CardPage>,
);
