import { messages as activityMessages } from '#features/activities/contract.ts';
import { ensureLogAddress } from '#features/activities/log-codes/server/actions.ts';
import { findEditions } from '#features/activities/server/actions.ts';
import { rightsHolderOf } from '#features/users/roles/server/actions.ts';
import { recordEvent } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import {
  checkRateLimit,
  clearCounters,
  consumeAttempt,
  hourly,
  type RateLimitPolicy,
} from '#server/http/rate-limit.ts';
import type { FileAnswer } from '#server/http/route-mount.ts';
import {
  type Acting,
  actorOf,
  isWithin,
  type SchoolScope,
  scopeFor,
  type Viewer,
} from '#server/http/viewer.ts';
import { inViewerLanguage, withRecipientNames } from '#server/i18n/recipient-language.ts';
import { isPrintable } from '#server/pdf/printable-text.ts';
import type { ReportRequester } from '#server/pdf/report-workers.ts';
import type { PdfSignInSheet } from '#server/pdf/sign-in-sheet.ts';
import { hashToken, seal, unseal } from '#server/secrets.ts';
import {
  addMonths,
  type CalendarDate,
  formatDayWithWeekday,
  type Instant,
  plusMilliseconds,
} from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { fullName } from '#shared/person-name.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import { messages, SIGN_IN_SHEET, type SignInSheetInput } from '../contract.ts';
import { findSheetActivity, listHelpers, listMembers } from './store.ts';

type SheetRequest = SignInSheetInput & Readonly<{ activityId: number }>;

/** The content of a link: its owner, the sheet, and its expiry. Sealed in the link itself, so nothing is stored. */
type Link = Readonly<{ by: number; asked: SheetRequest; until: Instant }>;

type SheetActivity = NonNullable<Awaited<ReturnType<typeof findSheetActivity>>>;

const PURPOSE = 'sign-in-sheet';
const SHEETS_BY = hourly(60, 300);
// Records a used link for longer than the link is valid.
const ONCE: RateLimitPolicy = { tries: 1, windowSeconds: 3600, pauseSeconds: 3600, maxPauseSeconds: 3600 };
/** Last year's event may have been a few weeks earlier in the year. */
const HELPER_MONTHS = 13;

/** Returns a link to a sheet, the number of names on it, and the names that cannot be printed. */
export async function createSignInSheet(deps: Deps, { viewer, request }: Acting, input: SheetRequest) {
  await consumeAttempt(deps.database, [{ key: `sheets-by:${viewer.userId}`, policy: SHEETS_BY }], request.at);
  const found = await findActivityInScope(deps, viewer.schools, input.activityId);
  for (const name of [found.name, found.school]) {
    if (!isPrintable(name)) throw errors.conflict(messages.unprintable(name));
  }
  const names = await listNames(deps, found, input);
  if (names.length > SIGN_IN_SHEET.people)
    throw errors.invalid(messages.tooMany, { people: messages.tooMany });
  const until = plusMilliseconds(request.at, SIGN_IN_SHEET.linkMinutes * 60_000);
  const { activityId, date, people, blankLines, paper } = input;
  const link: Link = { by: viewer.userId, asked: { activityId, date, people, blankLines, paper }, until };
  return {
    url: `/api/sign-in-sheets/${seal(deps.secretKey, PURPOSE, JSON.stringify(link))}`,
    people: names.filter(isPrintable).length,
    unprintable: names.filter((name) => !isPrintable(name)),
  };
}

/** Returns the PDF of a link once, with its owner's current permissions. 404 for an unusable link. */
export async function sendSignInSheet(
  deps: Deps,
  { request, gone }: Pick<ReportRequester, 'request' | 'gone'>,
  token: string,
): Promise<FileAnswer> {
  const link = unsealLink(deps, token);
  if (link === undefined || link.until < request.at) throw errors.notFound(messages.linkGone);
  const { viewer, found } = await findLinkOwner(deps, link);
  const once = { key: `sheet-link:${hashToken(token)}`, policy: ONCE };
  if (!(await checkRateLimit(deps.database, [once], request.at))) throw errors.notFound(messages.linkGone);
  try {
    const content = await deps.reportWorkers.make({ viewer, request, gone }, async (render) => {
      // The link is opened without a session.
      const sheet = await buildSheet(inViewerLanguage(deps, viewer), found, link.asked);
      const file = await render({ kind: 'sign-in-sheet', sheet });
      await recordSheet(deps, { viewer, request }, found, sheet);
      return file;
    });
    return { name: fileName(found, link.asked), type: 'application/pdf', content };
  } catch (error) {
    // The file was not delivered, so the link may be used again.
    await transaction(deps.database, (trx) => clearCounters(trx, [once.key], []));
    throw error;
  }
}

function unsealLink(deps: Deps, token: string): Link | undefined {
  try {
    return JSON.parse(unseal(deps.secretKey, PURPOSE, token)) as Link;
  } catch {
    return undefined;
  }
}

// The link stops working when its owner loses the permission.
async function findLinkOwner(
  deps: Deps,
  { by, asked }: Link,
): Promise<{ viewer: Viewer; found: SheetActivity }> {
  const holder = await rightsHolderOf(deps.database.db, by);
  const reader = { id: by, language: holder?.language ?? null };
  const found = await withRecipientNames(deps, reader, () =>
    findSheetActivity(deps.database.db, asked.activityId),
  );
  if (holder === undefined || found === undefined) throw errors.notFound(messages.linkGone);
  const schools = scopeFor(holder, 'log for others');
  if (!isWithin(schools, found.schoolId)) throw errors.notFound(messages.linkGone);
  return { viewer: { userId: by, sessionId: 0, schoolIds: [], ...holder, schools }, found };
}

async function findActivityInScope(
  deps: Deps,
  schools: SchoolScope,
  activityId: number,
): Promise<SheetActivity> {
  const found = await findSheetActivity(deps.database.db, activityId);
  if (found === undefined || !isWithin(schools, found.schoolId))
    throw errors.notFound(activityMessages.notFound);
  return found;
}

async function listNames(
  deps: Deps,
  activity: SheetActivity,
  { people, date }: SheetRequest,
): Promise<string[]> {
  if (people === 'nobody') return [];
  const { db } = deps.database;
  const { schoolId, nameKey } = activity;
  const most = SIGN_IN_SHEET.people + 1;
  if (people === 'members') return (await listMembers(db, schoolId, most)).map(fullName);
  const of = {
    activityIds: await findEditions(db, schoolId, nameKey),
    from: addMonths(date, -HELPER_MONTHS),
    until: date as CalendarDate,
  };
  return (await listHelpers(db, schoolId, of, most)).map(fullName);
}

async function buildSheet(deps: Deps, found: SheetActivity, input: SheetRequest): Promise<PdfSignInSheet> {
  const { t, language } = deps.translator;
  const { name: activity, school, description } = found;
  const { districtName: district } = deps.config;
  const named = (await listNames(deps, found, input)).filter(isPrintable).slice(0, SIGN_IN_SHEET.people);
  const { address } = await transaction(deps.database, (trx) => ensureLogAddress(trx, deps, found.id));
  const foot = t(named.length > 0 ? 'time-entries:sheetFoot' : 'time-entries:sheetFootBlank', { district });
  return {
    language,
    paper: input.paper,
    title: t('time-entries:sheetTitle'),
    activity,
    facts: [school, formatDayWithWeekday(input.date, language)],
    about: description !== null && isPrintable(description) ? description : null,
    code: {
      address,
      alt: t('time-entries:sheetCode', { address, activity }),
      label: t('time-entries:sheetScan'),
    },
    columns: COLUMNS.map((key) => t(key)),
    names: [...named, ...Array<string>(input.blankLines).fill('')],
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
  { viewer, request }: Pick<ReportRequester, 'viewer' | 'request'>,
  { id, schoolId }: SheetActivity,
  { names }: PdfSignInSheet,
): Promise<void> {
  return transaction(deps.database, (trx) =>
    recordEvent(trx, actorOf(viewer, request), {
      action: 'activity.sign-in-sheet',
      subject: 'activity',
      subjectId: id,
      schoolId,
      after: { people: names.filter((name) => name !== '').length },
    }),
  );
}

// 'book-fair_2026-03-04.pdf'
function fileName({ name }: SheetActivity, { date }: SheetRequest): string {
  const plain = foldForSearch(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  return `${plain || 'sign-in-sheet'}_${date}.pdf`;
}
