import * as z from 'zod/mini';
import { commonMessages } from '#shared/common-messages.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { normalizeText, requiredLine } from '#shared/text-normalization.ts';
import type text from './messages.staff.en.json';

const say = messageFactory<typeof text>('schools');

/** Lengths of what a school sets for its service letters, in characters. */
export const LETTER_LIMITS = { signer: 120, title: 120, wording: 2000 } as const;

/** What a wording may name, in braces: '{name} gave {hours}'. */
export const PLACEHOLDERS = ['name', 'school', 'district', 'hours', 'from', 'to', 'date'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** Sentences about the form of a school's service letters. */
export const letterMessages = {
  signerRequired: say('letterSignerRequired'),
  titleRequired: say('letterTitleRequired'),
  placeholder: (found: string) =>
    say('letterPlaceholder', { found, known: PLACEHOLDERS.map((name) => `{${name}}`).join(' ') }),
} as const;

const BRACES = /\{([^{}]*)\}|[{}]/g;

/** What stands in a wording's braces and is no placeholder, or a brace alone; undefined when there is nothing such. */
export function unknownIn(wording: string): string | undefined {
  for (const [found, name] of wording.matchAll(BRACES)) {
    if (name === undefined || !isPlaceholder(name)) return found.slice(0, 40);
  }
  return undefined;
}

/** A wording with its placeholders filled in. Values are taken as they are: braces within them stay. */
export function fillIn(wording: string, values: Readonly<Record<Placeholder, string>>): string {
  return wording.replace(BRACES, (found, name: string | undefined) =>
    name !== undefined && isPlaceholder(name) ? values[name] : found,
  );
}

/** Who signs a school's service letters, with which title, and a paragraph in place of the usual one. */
export const LetterTemplate = z.object({
  signerName: requiredLine(LETTER_LIMITS.signer, letterMessages.signerRequired),
  signerTitle: requiredLine(LETTER_LIMITS.title, letterMessages.titleRequired),
  wording: z.nullable(z.string()),
});
export type LetterTemplate = z.infer<typeof LetterTemplate>;

const Wording = z.pipe(
  z.nullish(z.string(commonMessages.tooLong(LETTER_LIMITS.wording))),
  z.pipe(z.transform(wordingOf), z.nullable(checkedWording())),
);

/** The same as it is set: a wording that names anything else than `PLACEHOLDERS` is 400. */
export const LetterTemplateInput = z.object({ ...LetterTemplate.shape, wording: Wording });

function wordingOf(given: string | null | undefined): string | null {
  return given === null || given === undefined ? null : normalizeText(given) || null;
}

function checkedWording() {
  return z.string().check(
    z.maxLength(LETTER_LIMITS.wording, commonMessages.tooLong(LETTER_LIMITS.wording)),
    z.refine((wording: string) => unknownIn(wording) === undefined, {
      error: ({ input }) => letterMessages.placeholder(unknownIn(String(input)) ?? ''),
    }),
  );
}

function isPlaceholder(name: string): name is Placeholder {
  return PLACEHOLDERS.some((one) => one === name);
}
