import { Readable } from 'node:stream';
import { Zip, ZipPassThrough } from 'fflate';
import { rightsHolderOf } from '#features/users/roles/server/actions.ts';
import { recordEvent } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import {
  countWhileStarting,
  followExport,
  isExportLimitReached,
  stopExport,
} from '#server/export/running-exports.ts';
import type { FileAnswer } from '#server/http/route-mount.ts';
import { type Acting, actorOf, scopeFor, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import type { PdfLetter } from '#server/pdf/certificate.ts';
import type { ReportRequester } from '#server/pdf/report-workers.ts';
import { THIS_PROCESS } from '#server/process/process-identity.ts';
import { hashToken } from '#server/secrets.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import type { Capability } from '#shared/permissions.ts';
import { spellCode } from '#shared/short-code.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import { type LetterFile, messages } from '../contract.ts';
import { type LetterFrame, readFrame, renderLetter, renderLetters } from './letter-content.ts';
import {
  findOpenFile,
  findOwnFile,
  finishFile,
  type LetterFileRow,
  releaseLink,
  STALE_AFTER_MS,
  saveLetterProgress,
  startFile,
} from './letter-file-store.ts';
import { computeIssuedLetterHours, isLetterInScope } from './letter-status.ts';
import { type LetterWithNames, listLettersOfFile, updateLetterContent, withdrawLetters } from './store.ts';

const RETRY_AFTER_SECONDS = 10;
const PDF_TYPE = 'application/pdf';

/** Sends the PDF of one letter, or a batch file, once. Throws 404 for a link that is not usable. */
export async function sendLetters(
  deps: Deps,
  { request, gone }: Pick<ReportRequester, 'request' | 'gone'>,
  token: string,
): Promise<FileAnswer> {
  const { db } = deps.database;
  const file = await findOpenFile(db, hashToken(token), request.at);
  if (file === undefined) throw errors.notFound(messages.linkGone);
  const letters = (await listLettersOfFile(db, file.id)).filter(isValid);
  const viewer = await findCurrentOwner(deps, file, letters);
  const [first] = letters;
  if (viewer === undefined || first === undefined) throw errors.notFound(messages.linkGone);
  const reader = { viewer, request, gone };
  const frame = await readFrame(db, first);
  if (file.total > 1)
    return countWhileStarting(deps, () => sendBatch(deps, reader, file, { frame, letters }));
  await claimLink(deps, reader, file);
  try {
    const content = await deps.reportWorkers.make(reader, async (render) => {
      const one = await renderCurrent(deps, frame, first);
      if (one === undefined) throw errors.notFound(messages.linkGone);
      return render({ kind: 'letters', letters: renderLetters(deps, frame, [one]) });
    });
    await finishFile(db, file.id, 'done', 1);
    return { name: letterFileName(first), type: PDF_TYPE, content };
  } catch (error) {
    await releaseLink(db, file.id);
    throw error;
  }
}

/** Returns the progress of the viewer's own file. */
export async function readOwnLetterFile(deps: Deps, { viewer, request }: Acting, id: number) {
  const file = await findOwnFile(deps.database.db, viewer.userId, id);
  if (file === undefined) throw errors.notFound(messages.fileNotFound);
  return { file: toLetterFile(file, request.at) };
}

/** Stops the viewer's own file and withdraws its letters, unless it was complete. */
export async function cancelOwnLetterFile(deps: Deps, { viewer, request }: Acting, id: number) {
  await readOwnLetterFile(deps, { viewer, request }, id);
  await transaction(deps.database, async (trx) => {
    if (!(await finishFile(trx, id, 'cancelled'))) return;
    await withdrawLetters(trx, { fileId: id }, { at: request.at, by: viewer.userId });
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'letter.stop',
      subject: 'export',
      subjectId: id,
    });
  });
  stopExport(deps, exportKey(id));
  return {
    ...(await readOwnLetterFile(deps, { viewer, request }, id)),
    message: translate(deps, messages.cancelled),
  };
}

/** Maps a row to a file with its status. */
export function toLetterFile(file: LetterFileRow, now: Instant): LetterFile {
  const { id, form, outcome, started_at, seen_at, expires_at, done, total } = file;
  const isAlive = seen_at !== null && seen_at > plusMilliseconds(now, -STALE_AFTER_MS);
  const underway = isAlive ? 'running' : 'failed';
  const status = outcome ?? (started_at !== null ? underway : expires_at > now ? 'ready' : 'expired');
  return { id, form, status, letters: done, total };
}

// Checks the owner's current permissions, so that a link stops working when the permission behind it is removed.
async function findCurrentOwner(
  deps: Deps,
  file: LetterFileRow,
  letters: readonly LetterWithNames[],
): Promise<Viewer | undefined> {
  const rights = await rightsHolderOf(deps.database.db, file.user_id);
  if (rights === undefined) return undefined;
  const person = { userId: file.user_id, sessionId: 0, schoolIds: [], ...rights };
  const needed: Capability = file.total > 1 ? 'issue letters' : 'see people';
  const schools = scopeFor(person, needed);
  const may = letters.every((letter) => letter.user_id === file.user_id || isLetterInScope(schools, letter));
  return may ? { ...person, schools } : undefined;
}

// Whether the letter is not withdrawn and the person's account not deleted.
function isValid({ first_name, withdrawn_at }: LetterWithNames): boolean {
  return first_name !== null && withdrawn_at === null;
}

async function claimLink(
  deps: Deps,
  { viewer, request }: ReportRequester,
  file: LetterFileRow,
): Promise<void> {
  await transaction(deps.database, async (trx) => {
    if (!(await startFile(trx, file.id, { at: request.at, by: THIS_PROCESS }))) {
      throw errors.notFound(messages.linkGone);
    }
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'letter.download',
      subject: 'export',
      subjectId: file.id,
      after: { format: file.form, rows: file.total },
    });
  });
}

// The letter states the hours at the time of rendering. A letter without hours is withdrawn and left out.
async function renderCurrent(
  deps: Deps,
  frame: LetterFrame,
  letter: LetterWithNames,
): Promise<PdfLetter | undefined> {
  const { db } = deps.database;
  const letterHours = await computeIssuedLetterHours(db, letter);
  if (letterHours.hundredths === 0) {
    await transaction(deps.database, (trx) =>
      withdrawLetters(trx, { id: letter.id }, { at: deps.clock.now(), by: null }),
    );
    return undefined;
  }
  if (letterHours.mark !== letter.record_mark) {
    await transaction(deps.database, (trx) =>
      updateLetterContent(trx, letter.id, {
        hours_hundredths: letterHours.hundredths,
        record_mark: letterHours.mark,
        is_verified_only: letterHours.isVerifiedOnly ? 1 : 0,
      }),
    );
  }
  return renderLetter(deps, frame, letter, letterHours);
}

type LetterBatch = Readonly<{ frame: LetterFrame; letters: readonly LetterWithNames[] }>;

async function sendBatch(
  deps: Deps,
  reader: ReportRequester,
  file: LetterFileRow,
  batch: LetterBatch,
): Promise<FileAnswer> {
  if (isExportLimitReached(deps)) throw errors.unavailable(messages.busy, RETRY_AFTER_SECONDS);
  await claimLink(deps, reader, file);
  const { db } = deps.database;
  const progress = { made: 0 };
  const render = file.form === 'zip' ? renderZip : renderOnePdf;
  const content = Readable.from(render(deps, reader, batch, progress), { objectMode: false });
  followExport(
    deps,
    exportKey(file.id),
    { total: file.total, content, rows: () => progress.made },
    {
      progress: (made) => saveLetterProgress(db, file.id, made, deps.clock.now()),
      end: async (isWhole, made) => void (await finishFile(db, file.id, isWhole ? 'done' : 'failed', made)),
    },
  );
  return {
    name: `letters_${reader.request.at.slice(0, 10)}.${file.form}`,
    type: file.form === 'zip' ? 'application/zip' : PDF_TYPE,
    content,
  };
}

type Progress = { made: number };

// One file per person. Each is rendered as a separate report, so that other reports can run in between.
async function* renderZip(
  deps: Deps,
  reader: ReportRequester,
  { frame, letters }: LetterBatch,
  progress: Progress,
) {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    chunks.push(chunk);
  });
  for (const letter of letters) {
    const bytes = await deps.reportWorkers.make(reader, async (render) => {
      const one = await renderCurrent(deps, frame, letter);
      if (one === undefined) return undefined;
      return render({ kind: 'letters', letters: renderLetters(deps, frame, [one]) });
    });
    if (bytes !== undefined) {
      // Not compressed again, because PDFs are compressed already.
      const entry = new ZipPassThrough(letterFileName(letter));
      zip.add(entry);
      entry.push(bytes, true);
    }
    progress.made += 1;
    yield* chunks.splice(0);
  }
  zip.end();
  yield* chunks.splice(0);
}

async function* renderOnePdf(
  deps: Deps,
  reader: ReportRequester,
  { frame, letters }: LetterBatch,
  progress: Progress,
) {
  yield await deps.reportWorkers.make(reader, async (render) => {
    const rendered: PdfLetter[] = [];
    for (const letter of letters) {
      const one = await renderCurrent(deps, frame, letter);
      if (one !== undefined) rendered.push(one);
      progress.made += 1;
    }
    return render({ kind: 'letters', letters: renderLetters(deps, frame, rendered) });
  });
}

// 'lee-ann_k7qm-4xrd-92.pdf'
function letterFileName({ first_name, last_name, code }: LetterWithNames): string {
  const person = foldForSearch(`${last_name ?? ''} ${first_name ?? ''}`)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  return `${[person || 'letter', spellCode(code).toLowerCase()].join('_')}.pdf`;
}

function exportKey(id: number): string {
  return `letters ${id}`;
}
