import type * as z from 'zod/mini';
import { asItIs, type Field } from '#base/fields.ts';
import type { SchoolInput } from './contract.ts';

/** The fields of a school; its logo is sent by itself. */
export const SCHOOL_FIELDS = {
  name: { column: 'name', ...asItIs<string>(), log: { text: 'audit:fieldName' } },
} as const satisfies Readonly<Record<keyof Required<z.output<typeof SchoolInput>>, Field>>;
