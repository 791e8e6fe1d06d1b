import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useEffect, useEffectEvent, useState } from 'react';
import { TWO_FACTOR_NOTICE } from '#features/auth/two-factor/web/two-factor-notice.ts';
import { useLogout } from '#features/auth/web/api.ts';
import { type District, messages } from '#features/schools/district-settings/contract.ts';
import { useDistrict } from '#features/schools/district-settings/web/api.ts';
import { SupportLink } from '#features/schools/district-settings/web/support-link.tsx';
import type { User } from '#features/users/contract.ts';
import { useProfile } from '#features/users/web/api.ts';
import { commonMessages } from '#shared/common-messages.ts';
import type { Language } from '#shared/i18n/languages.ts';
import { CallError, failureText, isRejected } from '#web/api/call.ts';
import { useDiskFull } from '#web/api/disk-full.ts';
import { getSelectedSchoolId, useToken } from '#web/api/session.ts';
import { restoreLink, storeLink } from '#web/api/sign-in-progress.ts';
import { storedStartAction, storeStartAction } from '#web/api/stored-start-action.ts';
import { setDraftOwner } from '#web/forms/drafts.ts';
import { leavePage, useArea } from '#web/forms/unsaved-changes.ts';
import { otherAccountLanguage, switchLanguage } from '#web/i18n/language.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';
import { ErrorBox } from '#web/ui/notice.tsx';
import { usePageTitle } from '#web/ui/page-title.ts';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { SkipLink, skipTarget } from '#web/ui/skip-link.tsx';
import { storedNavigation } from '#web/ui/stored-navigation.ts';
import { useHistorySteps } from '#web/ui/use-history-steps.ts';
import { hasPanel, isScreen, isTab, type Screen, TAB_TITLES, type Tab } from './navigation.ts';

/** The kind of an emailed link or of a return from a sign-in provider, by the name of its query parameter. */
export const LINKS = {
  token: 'reset',
  verify: 'confirm',
  invite: 'invite',
  signin: 'signin',
  'signin-failed': 'signInFailed',
  fresh: 'fresh',
  'fresh-failed': 'not-fresh',
  letter: 'letter',
  'signin-link': 'mailed',
  desk: 'desk',
} as const;
export type Link = Readonly<{ kind: (typeof LINKS)[keyof typeof LINKS]; token: string }>;

/** Chooses the view. There are no paths; the view is state (specification section 2). */
export function Shell({ link: opened }: { link: Link | undefined }) {
  const token = useToken();
  const [link, setLink] = useState(opened);
  const [tokenAtFirst] = useState(token);
  function forgetLink() {
    storeLink('');
    setLink(undefined);
  }

  if (link?.kind === 'reset') return <ResetPassword token={link.token} onBack={forgetLink} />;
  if (link?.kind === 'confirm') {
    return <ConfirmEmail token={link.token} isSignedIn={token !== null} onBack={forgetLink} />;
  }
  if (link?.kind === 'letter') return <CheckLetter code={link.token} onHome={forgetLink} />;
  const desk = link?.kind === 'desk' ? link.token : undefined;
  if (link !== undefined && link.kind !== 'invite' && desk === undefined)
    return <LinkSignIn link={link} onDone={forgetLink} />;
  const isInvited = link !== undefined && desk === undefined;
  if (token === null)
    return <Login inviteCode={isInvited ? link.token : undefined} onInviteDone={forgetLink} />;
  return !isInvited ? (
    <SignedIn key={token} token={token} isArrival={token !== tokenAtFirst} desk={desk} />
  ) : (
    <Join key={token} token={token} code={link.token} onDone={forgetLink} />
  );
}

const Login = lazyScreen(async () => (await import('./login.tsx')).LoginView, ScreenPlaceholder);
const ResetPassword = lazyScreen(
  async () => (await import('#features/auth/passwords/web/reset-password.tsx')).ResetPasswordView,
  ScreenPlaceholder,
);
const ConfirmEmail = lazyScreen(
  async () => (await import('#features/users/web/confirm-email.tsx')).ConfirmEmailView,
  ScreenPlaceholder,
);
const LinkSignIn = lazyScreen(
  async () => (await import('./link-sign-in.tsx')).LinkSignInView,
  ScreenPlaceholder,
);
const CheckLetter = lazyScreen(
  async () => (await import('./check-service-letter.tsx')).CheckPage,
  ScreenPlaceholder,
);
const Join = lazyScreen(
  async () => (await import('#features/users/memberships/web/join-school.tsx')).JoinView,
  ScreenPlaceholder,
);
const loadTimetracker = () => import('./dashboard/timetracker.tsx');
const Timetracker = lazyScreen(async () => (await loadTimetracker()).TimetrackerView, ScreenPlaceholder);
const Admin = lazyScreen(async () => (await import('./admin/admin.tsx')).AdminView, ScreenPlaceholder);
const NoConnection = lazyScreen<CannotStartProps>(
  async () => (await import('./offline/no-connection.tsx')).NoConnection,
  ({ given, failed }) => failed !== undefined && <CannotLoad {...given} />,
);

/** Loads the code of the first screen, if that screen does not wait for data. */
export function loadFirst(link: Link | undefined, isSignedIn: boolean): Promise<unknown> {
  return firstOf(link, isSignedIn).preload();
}

function firstOf(link: Link | undefined, isSignedIn: boolean) {
  switch (link?.kind) {
    case 'reset':
      return ResetPassword;
    case 'confirm':
      return ConfirmEmail;
    case 'letter':
      return CheckLetter;
    case 'invite':
      return isSignedIn ? Join : Login;
    case 'desk':
    case undefined:
      return Login;
    default:
      return LinkSignIn;
  }
}

/**
 * `isArrival`: the user has just signed in, so the first heading takes the focus from the sign-in form, which is gone.
 * `desk`: the school whose verification queue an email linked to.
 */
function SignedIn({
  token,
  isArrival,
  desk,
}: {
  token: string;
  isArrival: boolean;
  desk: string | undefined;
}) {
  const { t, say } = useTranslation();
  const isDiskFull = useDiskFull();
  const client = useQueryClient();
  const profile = useProfile(token);
  const district = useDistrict();
  const { logout, isLoggingOut } = useLogout(district.data?.hasProviders);
  const [isBack, setIsBack] = useState(isArrival);
  const [wanted] = useState(shortcutTab);
  useEffect(() => storeStartAction(undefined), []);
  const [isFirst] = useState(() => storedNavigation().length === 0);
  const { Area, area, leave } = useArea();
  const { place, go, back, backTo } = useHistorySteps<Screen>(
    desk === undefined ? ['log', ...wanted] : ['log', 'time-entries'],
    isScreen,
    (from, to, step) => {
      if (isTab(from) === isTab(to)) leave(step);
      else {
        leavePage(() => {
          setIsBack(isTab(to));
          step();
        });
      }
    },
  );
  useStartInPanel(isFirst && isTab(place) ? profile.data : undefined, () => go('users'));
  const isPanel = !isTab(place) && (profile.data === undefined || hasPanel(profile.data));
  const prepare = useEffectEvent(() => prepareScreens(client, token, isPanel));
  useEffect(() => void prepare(), []);

  const failed = [profile, district].filter((query) => query.isError);
  const hasFailed = failed.length > 0 && !isRejected(profile.error);
  // The Admin Panel names its own screens, and the page without a connection names itself.
  const isLost = hasFailed && (profile.data === undefined || district.data === undefined);
  usePageTitle(isTab(place) && !isLost ? t(TAB_TITLES[place]) : undefined);
  if (profile.data !== undefined) setDraftOwner(profile.data.id);
  const isSwitchingLanguage = useOwnLanguage(profile.data, district.data);
  const twoFactorNotice = useTwoFactorNotice(profile.data !== undefined && hasPanel(profile.data));

  // Rendered in slices, because in one piece a slow phone could not respond to touches meanwhile.
  const isThere = useDeferredValue(profile.data !== undefined && district.data !== undefined, false);

  if (isSwitchingLanguage || isLoggingOut) return <ScreenPlaceholder failed={undefined} />;
  if (isThere && profile.data !== undefined && district.data !== undefined) {
    const shown = { user: profile.data, district: district.data };
    const { notice = null, instead = null } =
      twoFactorNotice?.({ zone: district.data.timeZone, onLogout: logout }) ?? {};
    return (
      instead ?? (
        <Area value={area}>
          <SkipLink />
          {notice}
          {isDiskFull && (
            <div className="p-4">
              <ErrorBox text={say(commonMessages.diskFullNow)} />
            </div>
          )}
          {!isTab(place) && isPanel ? (
            <Admin
              {...shown}
              desk={desk === undefined ? undefined : Number(desk)}
              screen={place}
              onScreen={go}
              onPreviousScreen={back}
              onBack={() => backTo(isTab)}
            />
          ) : (
            <Timetracker
              {...shown}
              tab={isTab(place) ? place : 'log'}
              onTab={go}
              isBack={isBack}
              token={token}
              onLogout={logout}
              onAdmin={go}
            />
          )}
          <footer className="px-4 pb-24 print:hidden">
            <SupportLink email={district.data.supportEmail} />
          </footer>
        </Area>
      )
    );
  }
  if (hasFailed) {
    return (
      <CannotStart
        error={failed[0]?.error}
        onRetry={() => {
          for (const query of failed) void query.refetch();
        }}
        isRetrying={failed.some((query) => query.isFetching)}
      />
    );
  }
  return <ScreenPlaceholder failed={undefined} />;
}

// A user with a role but no school has nothing to log, so they start in the Admin Panel. Only once, so Back works.
function useStartInPanel(user: User | undefined, onPanel: () => void) {
  const [isKnown, setIsKnown] = useState(false);
  const lead = useEffectEvent(onPanel);
  useEffect(() => {
    if (user === undefined || isKnown) return;
    setIsKnown(true);
    if (user.role !== 'admin' && user.grants.length > 0 && user.schools.length === 0) lead();
  }, [user, isKnown]);
}

type CannotStartProps = { error: unknown; onRetry: () => void; isRetrying: boolean };

/**
 * Replaces a signed-in user's screens if they can't load. Without a connection this is not an error, and the user stays
 * signed in.
 */
function CannotStart({ error, onRetry, isRetrying }: CannotStartProps) {
  const isOffline = error instanceof CallError && error.status === 0;
  return (
    <main {...skipTarget} className="mx-auto w-full max-w-110 px-4 py-16 outline-none">
      <Title />
      {isOffline ? (
        <NoConnection error={error} onRetry={onRetry} isRetrying={isRetrying} />
      ) : (
        <CannotLoad error={error} onRetry={onRetry} isRetrying={isRetrying} />
      )}
    </main>
  );
}

function CannotLoad({ error, onRetry, isRetrying }: CannotStartProps) {
  return (
    <ErrorBox text={failureText(error, messages.failedToLoad)} onRetry={onRetry} isRetrying={isRetrying} />
  );
}

// Returns the tab that a shortcut of the installed app opens, unless it is the first one.
function shortcutTab(): Tab[] {
  const start = storedStartAction();
  return start !== undefined && isTab(start) && start !== 'log' ? [start] : [];
}

// Whether the page is about to reload in the account's language. Only at the start, because later the user may have
// typed something.
function useOwnLanguage(user: User | undefined, district: District | undefined): boolean {
  const [own, setOwn] = useState<Language | null>();
  if (own === undefined && user !== undefined && district !== undefined) {
    setOwn(otherAccountLanguage(user.language, district.languages));
  }
  useEffect(() => {
    if (own == null) return;
    restoreLink();
    if (!switchLanguage(own)) setOwn(null);
  }, [own]);
  return own != null;
}

/**
 * Returns the notice above or instead of the screens while an administrator lacks the two-factor authentication that
 * the district requires.
 */
function useTwoFactorNotice(isAsked: boolean) {
  const { data } = useQuery({
    queryKey: TWO_FACTOR_NOTICE,
    queryFn: async () =>
      (await import('#features/auth/two-factor/web/required-two-factor.ts')).findRequiredTwoFactor(),
    enabled: isAsked,
    // It must not vanish while it shows the recovery codes.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  return data?.show;
}

// Loads the first lists and the panel's code in parallel with the profile. Behind the panel, it loads only what works
// offline.
async function prepareScreens(client: QueryClient, token: string, isPanel: boolean): Promise<void> {
  if (isPanel) await Admin.preload();
  const view = await loadTimetracker().catch(() => undefined);
  view?.prepareTimetracker(client, token);
  if (!isPanel) view?.prepareLists(client, getSelectedSchoolId());
}

// As tall as the screen that replaces it, so the layout does not shift.
function ScreenPlaceholder({ failed }: { failed: ReactNode }) {
  return (
    <main {...skipTarget} className="mx-auto w-full grow max-w-288 px-4 py-24 outline-none">
      <Title />
      {failed ?? <SkeletonRows rows={4} />}
    </main>
  );
}

// A heading for screen readers while nothing else names the page.
function Title() {
  const { say } = useTranslation();
  return <h1 className="sr-only">{say(messages.title)}</h1>;
}
