import { Readable } from 'node:stream';
import { ownEntriesOf } from '#features/time-entries/server/privacy.ts';
import { OWN_DATA_COLUMNS } from '#features/time-entries/time-entry-fields.ts';
import { addressOf } from '#features/users/server/privacy.ts';
import { recordEvent } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { csvLines } from '#server/export/csv.ts';
import { uploadSlot } from '#server/http/multipart.ts';
import type { FileAnswer } from '#server/http/route-mount.ts';
import { actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { keepRequestLocale } from '#server/i18n/locale.ts';
import { translate } from '#server/i18n/translator.ts';
import type { ReportRequester } from '#server/pdf/report-workers.ts';
import type { Section } from '#server/personal-data/data-export.ts';
import { dayIn } from '#shared/calendar-date.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type texts from '../messages.server.en.json';
import { PERSONAL_DATA_FEATURES } from './registry.ts';

const TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

const say = messageFactory<typeof texts>('privacy');

/** Creates a file with everything stored about the viewer: all data as JSON, or the time entries as CSV. */
export async function createDataExport(
  deps: Deps,
  reader: ReportRequester,
  format: 'json' | 'csv',
): Promise<FileAnswer> {
  const { viewer, request } = reader;
  const content = await deps.reportWorkers.stream(reader, async () => {
    await transaction(deps.database, (trx) =>
      recordEvent(trx, actorOf(viewer, request), {
        action: 'account.download',
        subject: 'user',
        subjectId: viewer.userId,
      }),
    );
    const chunks = format === 'csv' ? streamCsv(deps, viewer) : streamJson(deps, viewer, request);
    return Readable.from(keepRequestLocale(chunks));
  });
  const name = `volunteer-data-${dayIn(deps.config.timeZone, request.at)}.${format}`;
  return { name, type: TYPES[format], content };
}

// Starts with a byte-order mark, because Excel misreads accented letters without it.
async function* streamCsv(deps: Deps, viewer: Viewer): AsyncGenerator<string> {
  const titles = OWN_DATA_COLUMNS.map(({ title }) => deps.translator.t(title));
  yield `\uFEFF${csvLines([[...titles, translate(deps, say('dataLogged')), translate(deps, say('dataDeleted'))]])}`;
  await uploadSlot();
  for await (const rows of ownEntriesOf(deps.database.db, viewer.userId)) {
    await uploadSlot();
    yield csvLines(
      rows.map((row) => [...OWN_DATA_COLUMNS.map(({ name }) => row[name]), row.createdAt, row.deletedAt]),
    );
  }
}

// Streamed, because an administrator's audit log may be long.
async function* streamJson(deps: Deps, viewer: Viewer, request: Request): AsyncGenerator<string> {
  const { db } = deps.database;
  const address = await addressOf(db, viewer.userId);
  const addresses = address === undefined ? [] : [address];
  const person = { id: viewer.userId, addresses, at: request.at };
  const head = { exportedAt: request.at, district: deps.config.districtName };
  yield JSON.stringify(head, undefined, 2).slice(0, -2);
  for (const section of PERSONAL_DATA_FEATURES.flatMap((feature) => feature.exportPersonalData(db, person)))
    yield* writeSection(section);
  yield '\n}\n';
}

async function* writeSection(section: Section): AsyncGenerator<string> {
  await uploadSlot();
  yield `,\n  "${section.name}": `;
  if ('read' in section) {
    yield JSON.stringify(await section.read(), undefined, 2).replaceAll('\n', '\n  ');
    return;
  }
  yield '[';
  let separator = '\n    ';
  for await (const rows of section.pages()) {
    await uploadSlot();
    for (const row of rows) {
      yield `${separator}${JSON.stringify(row)}`;
      separator = ',\n    ';
    }
  }
  yield '\n  ]';
}
