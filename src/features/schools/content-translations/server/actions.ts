import { type AuditEvent, recordEvents } from '#server/audit-log.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { databaseFailure } from '#server/db/database-errors.ts';
import { lockRows } from '#server/db/row-locks.ts';
import type { Deps } from '#server/deps.ts';
import type { Call } from '#server/http/route-mount.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import type { OtherLanguage, Translations } from '#shared/content-translations.ts';
import { errors } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
import { foldForSearch, normalizeText } from '#shared/text-normalization.ts';
import {
  NAME_LIST,
  type NameListDone,
  type NameListInput,
  type NameListPreview,
  type NameRow,
  nameListMessages,
} from '../contract.ts';

/** A record with its names. */
type Named = Readonly<{ id: number; name: string; translations: Translations<'name'> }>;

/** A record's folded translated name, and the scope in which the name must be unique. */
type NameOwner = Readonly<{ id: number; key: string; scope: number }>;

/** A kind of record with translatable names. `find` returns only records that the sender may change. */
export type TranslatableRecords<Record extends Named> = Readonly<{
  table: 'schools' | 'categories' | 'activities';
  /** Longest name, in characters. */
  max: number;
  /** Finds records by folded name in the first language. */
  find: (db: Db, keys: readonly string[]) => Promise<readonly Record[]>;
  /** `scopeOf` returns the scope in which names must be unique. `findOwners` finds records by folded translated name. */
  unique?: Readonly<{
    scopeOf: (record: Record) => number;
    findOwners: (db: Db, keys: readonly string[]) => Promise<readonly NameOwner[]>;
  }>;
  rename: (record: Record, language: OtherLanguage, name: string) => Record;
  write: (trx: Trx, record: Record) => Promise<void>;
  auditEvent: (before: Record, after: Record) => AuditEvent;
}>;

type Planned<Record> = Omit<NameRow, 'note'> &
  Readonly<{ note: Message | null; changes: readonly Readonly<{ before: Record; after: Record }>[] }>;

type NameListCall = Pick<
  Call<{ body: typeof NameListInput }, 'signedIn'>,
  'viewer' | 'request' | 'body' | 'once' | 'previewed'
>;

/** Saves a list of translated names, or only returns the outcome of each row if the request asks for a preview. */
export async function translateNames<Record extends Named>(
  deps: Deps,
  records: TranslatableRecords<Record>,
  { viewer, request, body, once, previewed }: NameListCall,
): Promise<NameListDone | NameListPreview> {
  if (body.preview !== true) {
    return once((trx) => saveTranslations(trx, deps, records, { input: body, acting: { viewer, request } }));
  }
  previewed();
  return { rows: (await planNames(deps.database.db, records, body)).map((row) => toWire(deps, row)) };
}

// Saves the rows that change something and skips the others. Throws 409 if no row changes anything.
async function saveTranslations<Record extends Named>(
  trx: Trx,
  deps: Deps,
  records: TranslatableRecords<Record>,
  { input, acting }: { input: NameListInput; acting: Acting },
): Promise<NameListDone> {
  const found = await records.find(trx, listKeys(input));
  rejectTooMany(found);
  await lockRows(
    trx,
    records.table,
    found.map(({ id }) => id),
  );
  const rows = await planNames(trx, records, input);
  const changes = rows.flatMap((row) => row.changes);
  if (changes.length === 0) throw errors.conflict(nameListMessages.nothingNew);
  for (const { after } of changes) await records.write(trx, after).catch(rejectTakenName);
  await recordEvents(
    trx,
    actorOf(acting.viewer, acting.request),
    changes.map(({ before, after }) => records.auditEvent(before, after)),
  );
  const message = translate(
    deps,
    nameListMessages.saved(rows.filter((row) => row.changes.length > 0).length),
  );
  return { changed: changes.length, rows: rows.map((row) => toWire(deps, row)), message };
}

// Long because the reasons against a row are checked one by one, in the order in which they are reported.
async function planNames<Record extends Named>(
  db: Db,
  records: TranslatableRecords<Record>,
  input: NameListInput,
): Promise<Planned<Record>[]> {
  const found = Map.groupBy(await records.find(db, listKeys(input)), ({ name }) => foldForSearch(name));
  rejectTooMany([...found.values()].flat());
  const takenAt = await findTakenNames(db, records, input);
  const known = new Map<string, Readonly<{ row: number; translation: string }>>();
  return input.names.map((given, at): Planned<Record> => {
    const row = {
      row: at + 1,
      name: normalizeText(given.name),
      translation: normalizeText(given.translation),
    };
    const nothing = { ...row, records: 0, before: null, note: null, changes: [] };
    const key = foldForSearch(row.name);
    const problem = findRowProblem(row, records.max);
    if (problem !== undefined) return { ...nothing, outcome: 'problem', note: problem };
    const earlier = known.get(key);
    if (earlier !== undefined) {
      return earlier.translation === row.translation
        ? { ...nothing, outcome: 'same', note: nameListMessages.sameAsRow(earlier.row) }
        : { ...nothing, outcome: 'problem', note: nameListMessages.twice(earlier.row) };
    }
    const named = found.get(key);
    if (named === undefined) return { ...nothing, outcome: 'unknown' };
    known.set(key, row);
    const nameOf = ({ translations }: Named) => translations?.[input.language]?.name ?? null;
    const changing = named.filter((record) => nameOf(record) !== row.translation);
    if (changing.length === 0) return { ...nothing, outcome: 'same' };
    const taken = takenAt(changing, row);
    if (taken !== undefined) return { ...nothing, outcome: 'problem', note: taken };
    const before = [...new Set(changing.flatMap((record) => nameOf(record) ?? []))].join(', ') || null;
    return {
      ...nothing,
      outcome: before === null ? 'new' : 'changed',
      records: changing.length,
      before,
      changes: changing.map((record) => ({
        before: record,
        after: records.rename(record, input.language, row.translation),
      })),
    };
  });
}

type Row = Pick<NameRow, 'row' | 'name' | 'translation'>;

function findRowProblem({ name, translation }: Row, max: number): Message | undefined {
  if (name === '') return nameListMessages.noFirst;
  if (translation === '') return nameListMessages.noOther;
  return translation.length > max ? nameListMessages.tooLong(max) : undefined;
}

// Returns a function that reserves a row's name, or returns why the name is taken: by another record or an earlier row.
async function findTakenNames<Record extends Named>(
  db: Db,
  { unique }: TranslatableRecords<Record>,
  { names }: NameListInput,
): Promise<(changing: readonly Record[], row: Row) => Message | undefined> {
  if (unique === undefined) return () => undefined;
  const { scopeOf, findOwners } = unique;
  const wanted = [...new Set(names.map(({ translation }) => foldForSearch(normalizeText(translation))))];
  const owners = Map.groupBy(await findOwners(db, wanted), ({ key, scope }) => `${scope} ${key}`);
  const given = new Map<string, number>();
  return (changing, { row, translation }) => {
    const at = (record: Record) => `${scopeOf(record)} ${foldForSearch(translation)}`;
    for (const record of changing) {
      if ((owners.get(at(record)) ?? []).some(({ id }) => id !== record.id)) return nameListMessages.taken;
      const earlier = given.get(at(record));
      if (earlier !== undefined) return nameListMessages.takenByRow(earlier);
    }
    for (const record of changing) given.set(at(record), row);
    return undefined;
  };
}

function listKeys({ names }: NameListInput): string[] {
  return [...new Set(names.map(({ name }) => foldForSearch(normalizeText(name))))];
}

function toWire<Record>(deps: Deps, { changes: _, note, ...row }: Planned<Record>): NameRow {
  return { ...row, note: note === null ? null : translate(deps, note) };
}

function rejectTooMany(found: readonly unknown[]): void {
  if (found.length > NAME_LIST.mostRecords) throw errors.invalid(nameListMessages.tooManyRecords);
}

// Throws 409 if another request took a name between the plan and the write.
function rejectTakenName(error: unknown): never {
  if (databaseFailure(error) === 'unique') throw errors.conflict(nameListMessages.changed);
  throw error;
}
