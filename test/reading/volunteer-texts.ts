import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { wordsOf } from './grade.ts';

/** Files that only administrators, verifiers of a school, or whoever runs the server read. */
const FILES_OF_OTHERS = new RegExp(
  [
    ...[
      'audit',
      'categories',
      'drive-sync',
      'merges',
      'retention',
      'system',
      'time-entry-imports',
      'user-imports',
    ].map((room) => `^${room}/`),
    ...[
      'district/(mail|settings|name-list)-text',
      'mailings/text',
      'photos/mail-text',
      'schools/server-text',
    ].map(whole),
    ...['verification/(text|mail-text|settings-text|desk-text)', 'activities/bulk-text', 'web/role-text'].map(
      whole,
    ),
    ...['[^/]*/admin-text', 'users/grant-text', 'time-entries/sign-in-sheet-text'].map(whole),
  ].join('|'),
);

/** Keys of the other files that volunteers do not read: what administrators do, and answers to programs. */
const KEYS_OF_OTHERS: Readonly<Record<string, RegExp>> = {
  'accessibility/server-text': /^mail/,
  'base/text':
    /^(invalidBody|invalidRequest|cursor|limit|adminRequired|freshProofRequired|methodNotAllowed|unsupportedType|filesExpected|keyReused)$/,
  'activities/text': /^(nameRequired|category|prompt|schoolFixed|created|updated|deleted|inUse)/,
  'analytics/file-text': /^(summary|worth|verifiedYearBefore|notVerifiedHere)/,
  'analytics/text':
    /^(failedToLoad$|back$|selectSchool|noData|logFirst|showAll|doesNot|hoursThatCount|new|average|by|shownOf|find|show|thatYear|month|top|stopped|rate|summary|barsOf|inKind|reports|setRate|changeRate|hourlyRate|yearOfRate|lightBars)/,
  'goals/milestone-text': /^(milestone(?!Usual)|milestones|file)/,
  'letters/text':
    /^(noHoursOfAnybody|mayNotWithdraw|people|tooManyPeople|forMany|forOne|lettersOf|another|search|choose|form|makeMany|many|without)/,
  'mailings/mail-text': /^(?!stop)/,
  'photos/text':
    /^(approved|nothingToReview|settingsSaved|consentTextRequired|consentTextTooLong|notifyAdministrators|uploaderOnly)$/,
  'schools/text': /^(name|created|updated|deleted|logo|counted|addFirst|noneYet)/,
  'second-proof/text': /^(needed|grace|demand|reset$|nothingToReset|ownReset|setUpFirst)/,
  'suggestions/text':
    /^(approved$|rejected$|markedDeleted|removed$|already|somebody|otherSchool|failedToLoad(Mail)?$|failedWithStatus|http|mailDigest|emailDaily|shown|noneWaits|showAll|yourSchools|noneInSchool|dates|by|(approved|rejected|deleted)(By|On)|approve|reject|delete)/,
  'time-entries/text': /^(export|failedToFetch|closedReason|everyone|ascending|descending)/,
  'users/mail-text': /^(widerRights|ownGrants|districtGives|alsoElsewhere|mailBackup|mailLogCopy)/,
  'users/server-text':
    /^(lastAdministrator|invited|inviteRevoked|inviteNotFound|membership|addressUnconfirmed|userNotFound)/,
  'users/text': /^(lettersInFolder|inviteEmailRequired)$/,
};

/** What stands in the place of a value: as a person would read the text. */
const EXAMPLES: readonly (readonly [RegExp, string])[] = [
  [/date|when|^day$|^from$|^to$|month|until/i, 'May 2'],
  [
    /count|max|min|hours|days|most|limit|logged|counted|already|verified|milestone|total|shown|percent|index/i,
    '2',
  ],
  [/email|address|url/i, 'Sam'],
  [/name|person|by$/i, 'Ann'],
  [/prompt/i, 'words'],
];

export type VolunteerText = Readonly<{
  /** Its file and key. */
  where: string;
  english: string;
  spanish: string;
  /** Finds the English text where it is quoted, whatever stands there for its values. */
  pattern: RegExp;
}>;

/** Every text that a volunteer, or somebody outside who answers for one, can read, with examples for its values. */
export function volunteerTexts(): VolunteerText[] {
  return globSync('src/{base,web,rooms/*}/*text.en.json')
    .sort()
    .flatMap((path) => {
      const file = `${basename(dirname(path))}/${basename(path, '.en.json')}`;
      if (FILES_OF_OTHERS.test(file)) return [];
      const [english, spanish] = [textsOf(path), textsOf(path.replace('.en.', '.es.'))];
      return Object.entries(english)
        .filter(([key]) => !KEYS_OF_OTHERS[file]?.test(key))
        .map(([key, text]) => ({
          where: `${file} ${key}`,
          english: withExamples(text),
          spanish: withExamples(spanish[key] ?? ''),
          pattern: patternOf(text),
        }));
    });
}

/** Whether a text is long enough to be measured: formulas say nothing about a label. */
export function isMeasured(text: string, language: string, fewest: number): boolean {
  return wordsOf(text, language).length >= fewest;
}

function whole(file: string): string {
  return `^${file}$`;
}

function withExamples(text: string): string {
  return text.replace(/\{\{([^},]*)[^}]*\}\}/g, (_, name: string) => {
    return EXAMPLES.find(([names]) => names.test(name))?.[1] ?? 'Oak';
  });
}

function patternOf(text: string): RegExp {
  const parts = text.split(/\{\{[^}]*\}\}/).map((part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('.{1,20}'));
}

function textsOf(file: string): Record<string, string> {
  return JSON.parse(readFileSync(file, 'utf8'));
}
