import type { Step } from '#features/schools/first-run-checklist/contract.ts';
import type { FirstRunChecklistProps } from '#features/schools/first-run-checklist/web/admin-first-run-checklist.tsx';
import type { AdminUsersProps } from '#features/users/web/admin-users-props.ts';
import { useCan } from '#web/api/permissions.ts';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';
import type { AdminLocation } from '../navigation.ts';

const SCREEN_OF_STEP: Readonly<Record<Step, AdminLocation>> = {
  you: 'users',
  district: 'district-settings',
  school: 'schools',
  activities: 'activities',
  access: 'district-settings',
  mail: 'district-settings',
  timeZone: 'district-settings',
  people: 'users',
  backup: 'system',
};

const USERS_SECTION_OF_STEP: Readonly<Partial<Record<Step, AdminUsersProps['startAt']>>> = {
  you: 'own',
  people: 'invites',
};

const FIRST_STEPS = 'first-steps';
/** How long a checklist step waits for its screen to load. */
const STEP_TIMEOUT_MS = 10_000;

/**
 * Returns a function that opens a step's screen and scrolls to the step's target, because the checklist card fills a phone's
 * screen and the target is below the card.
 */
export function goToStep(
  open: (screen: AdminLocation) => void,
  openUsersAt: (startAt: AdminUsersProps['startAt']) => void,
): (step: Step) => void {
  const showList = () =>
    document.getElementById(FIRST_STEPS)?.nextElementSibling?.scrollIntoView({ block: 'start' });
  return (step) => {
    openUsersAt(USERS_SECTION_OF_STEP[step]);
    open(SCREEN_OF_STEP[step]);
    if (SCREEN_OF_STEP[step] === 'district-settings') scrollWhenPresent(`first-${step}`);
    else requestAnimationFrame(showList);
  };
}

// The element may load a moment after its screen.
function scrollWhenPresent(id: string): void {
  const scrollToElement = () => {
    const element = document.getElementById(id);
    element?.scrollIntoView({ block: 'start' });
    element?.focus({ preventScroll: true });
    if (element !== null) observer.disconnect();
  };
  const observer = new MutationObserver(scrollToElement);
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), STEP_TIMEOUT_MS);
  scrollToElement();
}

const FirstRunChecklist = lazyScreen<FirstRunChecklistProps>(
  async () =>
    (await import('#features/schools/first-run-checklist/web/admin-first-run-checklist.tsx'))
      .FirstRunChecklist,
  ({ given, failed }) => failed !== undefined && given.otherwise,
);

/** The checklist of first steps, loaded only for district administrators, because only they see it. */
export function FirstRun(props: FirstRunChecklistProps) {
  if (!useCan()('run the district')) return props.otherwise;
  return (
    <div id={FIRST_STEPS}>
      <FirstRunChecklist {...props} />
    </div>
  );
}
