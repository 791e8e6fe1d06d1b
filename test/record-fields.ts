import { isDeepStrictEqual } from 'node:util';
import { parse } from 'csv-parse/sync';
import * as z from 'zod/mini';
import { type CalendarDate, day, daysBetween, isCalendarDate } from '#shared/calendar-date.ts';
import type { StoredCell } from './workbook.ts';

/** Values of a record's fields, by their names in the API. */
export type Values = Readonly<Record<string, unknown>>;

/** An input schema of a contract. */
export type Shape = Readonly<{ shape: Readonly<Record<string, z.core.$ZodType>> }>;

/**
 * Makes a value for every field of an input schema, so that a test includes new fields. Identifiers and values that depend on
 * each other must be given. Another `round` makes other values.
 */
export function filledIn({ shape }: Shape, given: Values, round = 0): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema], index) => [
      name,
      name in given ? given[name] : valueFor(name, schema, index + 10 * round),
    ]),
  );
}

function valueFor(name: string, schema: z.core.$ZodType, number: number): unknown {
  const candidates = [
    `The ${name} of number ${number}`,
    `2026-02-${String(1 + (number % 28)).padStart(2, '0')}`,
    number % 2 === 0,
    1.25 + number / 2,
    3 + number,
  ];
  const fitting = candidates.find((value) => isDeepStrictEqual(z.safeParse(schema, value).data, value));
  if (fitting === undefined) throw new Error(`give a value for the field '${name}' in this test`);
  return fitting;
}

/** The fields whose stored values differ from those sent: 'notes in the list: "Glue" became null'. */
export function lostIn(place: string, put: Values, found: object | null | undefined): string[] {
  const actual = (found ?? {}) as Values;
  return Object.entries(put)
    .filter(([name, value]) => !isDeepStrictEqual(actual[name], value))
    .map(([name, value]) => `${name} in ${place}: ${show(value)} became ${show(actual[name])}`);
}

/** The fields whose values are in no cell of a CSV file, except its header. */
export function lostInCsv(place: string, put: Values, file: string | Buffer): string[] {
  const cells = (parse(file, { bom: true }) as string[][]).slice(1).flat();
  return lostAmong(place, put, (value) => cells.includes(String(value)));
}

/** The fields whose values are in no cell of a sheet, except its header. Excel stores dates as numbers. */
export function lostInSheet(
  place: string,
  put: Values,
  rows: readonly Readonly<Record<string, StoredCell>>[],
): string[] {
  const cells = rows.slice(1).flatMap((row) => Object.values(row));
  const isThere = (value: unknown) =>
    cells.some((cell) => (typeof cell === 'string' ? cell : cell.number) === cellOf(value));
  return lostAmong(place, put, isThere);
}

/** The fields whose values are not among those of an object. */
export function lostAmongValues(place: string, put: Values, found: object | undefined): string[] {
  return lostAmong(place, put, (value) => Object.values(found ?? {}).includes(value));
}

function lostAmong(place: string, put: Values, isThere: (value: unknown) => boolean): string[] {
  return Object.entries(put)
    .filter(([, value]) => !isThere(value))
    .map(([name, value]) => `${name} in ${place}: ${show(value)} is not there`);
}

function cellOf(value: unknown): unknown {
  return typeof value === 'string' && isCalendarDate(value)
    ? daysBetween(day('1899-12-30'), value as CalendarDate)
    : value;
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
