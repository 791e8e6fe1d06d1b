import { messages as activityMessages } from '#features/activities/contract.ts';
import { logAddressOf } from '#features/activities/log-codes/server/actions.ts';
import { withoutYear } from '#features/activities/server/actions.ts';
import { rightsHolderOf } from '#features/users/roles/server/actions.ts';
import { record } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { checkRateLimit, consumeAttempt, forgive, type RateLimitPolicy } from '#server/http/rate-limit.ts';
import type { FileAnswer } from '#server/http/route-mount.ts';
import {
  actorOf,
  isWithin,
  type Request,
  type SchoolScope,
  scopeFor,
  type Viewer,
} from '#server/http/viewer.ts';
import { inViewerLanguage, namesFor } from '#server/i18n/recipient-language.ts';
import { isPrintable } from '#server/pdf/printable-text.ts';
import type { Reader } from '#server/pdf/report-workers.ts';
import type { PdfSignInSheet } from '#server/pdf/sign-in-sheet.ts';
import { hashToken, seal, unseal } from '#server/secrets.ts';
import {
  addMonths,
  type CalendarDate,
  formatDayWithWeekday,
  type Instant,
  plusMilliseconds,
} from '#shared/calendar-date.ts';
import { refuse } from '#shared/errors.ts';
import { fullName } from '#shared/person-name.ts';
import { fold } from '#shared/text-normalization.ts';
import { messages, SIGN_IN_SHEET, type SignInSheetInput } from '../contract.ts';
import { findSheetActivity, helpersOf, membersOf, namesOfActivities } from './store.ts';

type Asked = SignInSheetInput & Readonly<{ activityId: number }>;

/** What a link gives: whose it is, the sheet, until when. Sealed in the link itself, so that nothing is stored. */
type Link = Readonly<{ by: number; asked: Asked; until: Instant }>;

type Found = NonNullable<Awaited<ReturnType<typeof findSheetActivity>>>;

const PURPOSE = 'sign-in-sheet';
const SHEETS_BY: RateLimitPolicy = {
  tries: 60,
  windowSeconds: 3600,
  pauseSeconds: 300,
  maxPauseSeconds: 900,
};
// Longer than any link can be used.
const ONCE: RateLimitPolicy = { tries: 1, windowSeconds: 3600, pauseSeconds: 3600, maxPauseSeconds: 3600 };
/** An event of last year may have been some weeks earlier. */
const HELPED_MONTHS = 13;

/** Gives a link to a sheet, and says how many names will be on it and which cannot be printed. */
export async function createSignInSheet(deps: Deps, viewer: Viewer, request: Request, asked: Asked) {
  await consumeAttempt(deps.database, [{ key: `sheets-by:${viewer.userId}`, policy: SHEETS_BY }], request.at);
  const found = await activityWithin(deps, viewer.schools, asked.activityId);
  for (const name of [found.name, found.school]) {
    if (!isPrintable(name)) throw refuse.conflict(messages.unprintable(name));
  }
  const names = await namesOn(deps, found, asked);
  if (names.length > SIGN_IN_SHEET.people)
    throw refuse.invalid(messages.tooMany, { people: messages.tooMany });
  const until = plusMilliseconds(request.at, SIGN_IN_SHEET.linkMinutes * 60_000);
  const { activityId, date, people, blankLines, paper } = asked;
  const link: Link = { by: viewer.userId, asked: { activityId, date, people, blankLines, paper }, until };
  return {
    url: `/api/sign-in-sheets/${seal(deps.secretKey, PURPOSE, JSON.stringify(link))}`,
    people: names.filter(isPrintable).length,
    unprintable: names.filter((name) => !isPrintable(name)),
  };
}

/** The PDF of a link, once, with the rights that its owner has now. 404 for a link that cannot be used. */
export async function sendSignInSheet(
  deps: Deps,
  { request, gone }: Pick<Reader, 'request' | 'gone'>,
  token: string,
): Promise<FileAnswer> {
  const link = opened(deps, token);
  if (link === undefined || link.until < request.at) throw refuse.notFound(messages.linkGone);
  const { viewer, found } = await ownerNow(deps, link);
  const once = { key: `sheet-link:${hashToken(token)}`, policy: ONCE };
  if (!(await checkRateLimit(deps.database, [once], request.at))) throw refuse.notFound(messages.linkGone);
  try {
    const content = await deps.reports.make({ viewer, request, gone }, async (render) => {
      // The link is opened without a session.
      const sheet = await sheetOf(inViewerLanguage(deps, viewer), found, link.asked);
      const file = await render({ kind: 'sign-in-sheet', sheet });
      await recordSheet(deps, { viewer, request }, found, sheet);
      return file;
    });
    return { name: fileName(found, link.asked), type: 'application/pdf', content };
  } catch (error) {
    // Nobody has the file: the link may be tried again.
    await transaction(deps.database, (trx) => forgive(trx, [once.key], []));
    throw error;
  }
}

function opened(deps: Deps, token: string): Link | undefined {
  try {
    return JSON.parse(unseal(deps.secretKey, PURPOSE, token)) as Link;
  } catch {
    return undefined;
  }
}

// A link dies with the rights of whoever asked for it.
async function ownerNow(deps: Deps, { by, asked }: Link): Promise<{ viewer: Viewer; found: Found }> {
  const holder = await rightsHolderOf(deps.database.db, by);
  const reader = { id: by, language: holder?.language ?? null };
  const found = await namesFor(deps, reader, () => findSheetActivity(deps.database.db, asked.activityId));
  if (holder === undefined || found === undefined) throw refuse.notFound(messages.linkGone);
  const schools = scopeFor(holder, 'log for others');
  if (!isWithin(schools, found.schoolId)) throw refuse.notFound(messages.linkGone);
  return { viewer: { userId: by, sessionId: 0, schoolIds: [], ...holder, schools }, found };
}

async function activityWithin(deps: Deps, schools: SchoolScope, activityId: number): Promise<Found> {
  const found = await findSheetActivity(deps.database.db, activityId);
  if (found === undefined || !isWithin(schools, found.schoolId))
    throw refuse.notFound(activityMessages.notFound);
  return found;
}

async function namesOn(deps: Deps, activity: Found, { people, date }: Asked): Promise<string[]> {
  if (people === 'nobody') return [];
  const { db } = deps.database;
  const { schoolId, nameKey } = activity;
  const most = SIGN_IN_SHEET.people + 1;
  if (people === 'members') return (await membersOf(db, schoolId, most)).map(fullName);
  const same = (await namesOfActivities(db, schoolId)).filter(
    (one) => withoutYear(one.nameKey) === withoutYear(nameKey),
  );
  const of = {
    activityIds: same.map(({ id }) => id),
    from: addMonths(date, -HELPED_MONTHS),
    until: date as CalendarDate,
  };
  return (await helpersOf(db, schoolId, of, most)).map(fullName);
}

async function sheetOf(deps: Deps, found: Found, asked: Asked): Promise<PdfSignInSheet> {
  const { t, language } = deps.catalogue;
  const { name: activity, school, description } = found;
  const { districtName: district } = deps.config;
  const named = (await namesOn(deps, found, asked)).filter(isPrintable).slice(0, SIGN_IN_SHEET.people);
  const { address } = await transaction(deps.database, (trx) => logAddressOf(trx, deps, found.id));
  const foot = t(named.length > 0 ? 'time-entries:sheetFoot' : 'time-entries:sheetFootBlank', { district });
  return {
    language,
    paper: asked.paper,
    title: t('time-entries:sheetTitle'),
    activity,
    facts: [school, formatDayWithWeekday(asked.date, language)],
    about: description !== null && isPrintable(description) ? description : null,
    code: {
      address,
      alt: t('time-entries:sheetCode', { address, activity }),
      label: t('time-entries:sheetScan'),
    },
    columns: COLUMNS.map((key) => t(key)),
    names: [...named, ...Array<string>(asked.blankLines).fill('')],
    foot,
    page: t('time-entries:sheetPage', { page: '{page}', pages: '{pages}' }),
  };
}

const COLUMNS = [
  'time-entries:sheetNameColumn',
  'time-entries:sheetIn',
  'time-entries:sheetOut',
  'time-entries:sheetHours',
  'time-entries:sheetSignature',
] as const;

function recordSheet(
  deps: Deps,
  { viewer, request }: Pick<Reader, 'viewer' | 'request'>,
  { id, schoolId }: Found,
  { names }: PdfSignInSheet,
): Promise<void> {
  return transaction(deps.database, (trx) =>
    record(trx, actorOf(viewer, request), {
      action: 'activity.sign-in-sheet',
      subject: 'activity',
      subjectId: id,
      schoolId,
      after: { people: names.filter((name) => name !== '').length },
    }),
  );
}

// 'book-fair_2026-03-04.pdf'
function fileName({ name }: Found, { date }: Asked): string {
  const plain = fold(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  return `${plain || 'sign-in-sheet'}_${date}.pdf`;
}
