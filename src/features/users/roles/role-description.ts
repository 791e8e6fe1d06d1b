import { type Capability, type GrantRole, rolesFor } from '#shared/permissions.ts';
import type text from '../messages.staff.en.json';

type Phrase = Extract<keyof typeof text, `${'do' | 'see'}${string}`>;

/**
 * The phrase for each capability in a role's sentence; null adds none. A capability `within` another one is left out if the
 * role has both.
 */
const PHRASES: Readonly<Record<Capability, { say: Phrase | null; within?: Capability }>> = {
  'run the district': { say: 'doRunDistrict' },
  'see schools': { say: null },
  'see people': { say: 'seePeople', within: 'manage people' },
  'manage people': { say: 'doManagePeople' },
  'write to people': { say: 'doWriteToPeople' },
  'see requests': { say: 'seeRequests', within: 'decide requests' },
  'decide requests': { say: 'doDecideRequests' },
  'import people': { say: 'doImportPeople' },
  'see categories and activities': { say: 'seeActivities', within: 'edit activities' },
  'edit categories': { say: 'doEditCategories' },
  'edit activities': { say: 'doEditActivities' },
  'see suggestions': { say: 'seeSuggestions', within: 'decide suggestions' },
  'decide suggestions': { say: 'doDecideSuggestions' },
  'see entries': { say: 'seeEntries', within: 'edit entries' },
  'log for others': { say: 'doLogForOthers' },
  'import hours': { say: 'doImportHours' },
  'edit entries': { say: 'doEditEntries' },
  'verify hours': { say: 'doVerifyHours' },
  'restore deleted': { say: 'doRestore' },
  'export entries': { say: 'doExport' },
  // Implied by the exports of hours and lists.
  'export addresses': { say: null },
  'issue letters': { say: 'doIssueLetters' },
  'withdraw letters': { say: 'doWithdrawLetters' },
  'see figures': { say: 'seeFigures' },
  'see history': { say: 'seeHistory' },
  'see photos': { say: 'seePhotos', within: 'manage photos' },
  'manage photos': { say: 'doManagePhotos' },
  'edit school': { say: 'doEditSchool' },
};

type Frame = Extract<keyof typeof text, `may${string}` | 'allSchools'>;

type Reader = Readonly<{
  t: (key: `users:${Phrase | Frame}`, values: Readonly<Record<string, string>>) => string;
  language: string;
}>;

/** Describes a role's permissions at a school in one sentence built from its capabilities. A null school means all schools. */
export function describeRole(role: GrantRole, school: string | null, { t, language }: Reader): string {
  const held = (Object.keys(PHRASES) as Capability[]).filter((name) => rolesFor(name).includes(role));
  const said = held.flatMap((name) => {
    const { say, within } = PHRASES[name];
    return say === null || (within !== undefined && held.includes(within)) ? [] : [say];
  });
  const list = (kind: 'do' | 'see') =>
    new Intl.ListFormat(language).format(
      said.filter((phrase) => phrase.startsWith(kind)).map((phrase) => t(`users:${phrase}`, {})),
    );
  const [deeds, things] = [list('do'), list('see')];
  const where = school ?? t('users:allSchools', {});
  if (things === '') return t('users:mayDo', { deeds, school: where });
  return deeds === ''
    ? t('users:maySee', { things, school: where })
    : t('users:mayDoAndSee', { deeds, things, school: where });
}
