import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { dayIn } from '#base/calendar-date.ts';
import { sayFrom } from '#base/message.ts';
import { OWN_DATA_COLUMNS } from '#rooms/time-entries/entry-fields.ts';
import { ownEntriesOf } from '#rooms/time-entries/server/own-data.ts';
import { readProfile } from '#rooms/users/server/profile.ts';
import { record } from '#server/audit.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import type { FileAnswer } from '#server/http/serve.ts';
import { actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import type texts from '../mail-text.en.json';
import * as data from './download-store.ts';

const say = sayFrom<typeof texts>('own-data');

/** Everything stored about the viewer, as a file: all of it as JSON, or the time entries as a table. */
export async function ownData(
  deps: Deps,
  request: Request,
  viewer: Viewer,
  format: 'json' | 'csv',
): Promise<FileAnswer> {
  await transaction(deps.database, (trx) =>
    record(trx, actorOf(request, viewer), {
      action: 'account.download',
      subject: 'user',
      subjectId: viewer.userId,
    }),
  );
  const name = `volunteer-data-${dayIn(deps.config.timeZone, request.at)}.${format}`;
  if (format === 'csv') {
    return { name, type: 'text/csv; charset=utf-8', content: Readable.from(entriesAsCsv(deps, viewer)) };
  }
  return {
    name,
    type: 'application/json; charset=utf-8',
    content: Readable.from(asJson(deps, request, viewer)),
  };
}

// A byte-order mark first: without it Excel reads accents as something else.
async function* entriesAsCsv(deps: Deps, viewer: Viewer): AsyncGenerator<string> {
  const asCsv = (rows: readonly unknown[][]) =>
    stringify([...rows], { escape_formulas: true, record_delimiter: 'windows' });
  const titles = OWN_DATA_COLUMNS.map(({ title }) => deps.catalogue.t(title));
  yield `\uFEFF${asCsv([[...titles, text(deps, say('dataLogged')), text(deps, say('dataDeleted'))]])}`;
  for await (const rows of ownEntriesOf(deps.database.db, viewer.userId)) {
    yield asCsv(
      rows.map((row) => [...OWN_DATA_COLUMNS.map(({ name }) => row[name]), row.createdAt, row.deletedAt]),
    );
  }
}

// Written piece by piece, since an administrator's record may be long.
async function* asJson(deps: Deps, request: Request, viewer: Viewer): AsyncGenerator<string> {
  const { db } = deps.database;
  const first = {
    exportedAt: request.at,
    district: deps.config.districtName,
    profile: (await readProfile(deps, viewer)).user,
    account: await data.accountOf(db, viewer.userId),
    memberships: await data.membershipsOf(db, viewer.userId),
    sessions: await data.sessionsOf(db, viewer.userId),
    erasureRequest: (await data.erasureRequestOf(db, viewer.userId)) ?? null,
    invitations: await data.invitesOf(db, viewer.userId),
    imports: await data.importsOf(db, viewer.userId),
    mail: await data.mailOf(db, viewer.userId),
    photoTakedowns: await data.takedownsOf(db, viewer.userId),
    driveConnection: (await data.driveConnectionOf(db, viewer.userId)) ?? null,
    driveSyncs: await data.driveSyncsOf(db, viewer.userId),
    suggestionMail: (await data.suggestionMailOf(db, viewer.userId)) ?? null,
  };
  yield JSON.stringify(first, undefined, 2).slice(0, -2);
  yield* section('timeEntries', ownEntriesOf(db, viewer.userId), (entry) => entry);
  yield* section('photos', pages(deps, viewer, data.photosOf), ({ containsStudents, ...photo }) => ({
    ...photo,
    containsStudents: containsStudents === 1,
  }));
  yield* section('suggestions', pages(deps, viewer, data.suggestionsOf), ({ isYearLong, ...suggestion }) => ({
    ...suggestion,
    isYearLong: isYearLong === 1,
  }));
  yield* section('record', pages(deps, viewer, data.recordOf), ({ before, after, ...row }) => ({
    ...row,
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  }));
  yield '\n}\n';
}

async function* section<Row>(
  name: string,
  pagesOfRows: AsyncGenerator<readonly Row[]>,
  shown: (row: Row) => unknown,
): AsyncGenerator<string> {
  yield `,\n  "${name}": [`;
  let separator = '\n    ';
  for await (const rows of pagesOfRows) {
    for (const row of rows) {
      yield `${separator}${JSON.stringify(shown(row))}`;
      separator = ',\n    ';
    }
  }
  yield '\n  ]';
}

async function* pages<Row>(
  deps: Deps,
  viewer: Viewer,
  read: data.PageReader<Row>,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined;
  do {
    const rows = await read(deps.database.db, viewer.userId, last);
    if (rows.length > 0) yield rows;
    last = rows.length < data.ROWS_AT_ONCE ? undefined : rows.at(-1);
  } while (last !== undefined);
}
