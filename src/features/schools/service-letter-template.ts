import * as z from 'zod/mini';
import { commonMessages } from '#shared/common-messages.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { normalizeText, requiredLine } from '#shared/text-normalization.ts';
import type text from './messages.staff.en.json';

const say = messageFactory<typeof text>('schools');

/** Maximum lengths of a service letter template's fields, in characters. */
export const LETTER_LIMITS = { signer: 120, title: 120, wording: 2000 } as const;

/** The placeholders of a template, in braces: '{name} gave {hours}'. */
export const PLACEHOLDERS = ['name', 'school', 'district', 'hours', 'from', 'to', 'date'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** Messages of the service letter form. */
export const letterMessages = {
  signerRequired: say('letterSignerRequired'),
  titleRequired: say('letterTitleRequired'),
  placeholder: (found: string) =>
    say('letterPlaceholder', { found, known: PLACEHOLDERS.map((name) => `{${name}}`).join(' ') }),
} as const;

const BRACES = /\{([^{}]*)\}|[{}]/g;

/** Returns an unknown placeholder or a stray brace in a template, or undefined. */
export function findUnknownPlaceholder(wording: string): string | undefined {
  for (const [found, name] of wording.matchAll(BRACES)) {
    if (name === undefined || !isPlaceholder(name)) return found.slice(0, 40);
  }
  return undefined;
}

/** Replaces a template's placeholders. Braces in the values stay as they are. */
export function fillPlaceholders(wording: string, values: Readonly<Record<Placeholder, string>>): string {
  return wording.replace(BRACES, (found, name: string | undefined) =>
    name !== undefined && isPlaceholder(name) ? values[name] : found,
  );
}

/** A school's service letter template: the signer, their title, and a paragraph that replaces the default one. */
export const LetterTemplate = z.object({
  signerName: requiredLine(LETTER_LIMITS.signer, letterMessages.signerRequired),
  signerTitle: requiredLine(LETTER_LIMITS.title, letterMessages.titleRequired),
  wording: z.nullable(z.string()),
});
export type LetterTemplate = z.infer<typeof LetterTemplate>;

const Wording = z.pipe(
  z.nullish(z.string(commonMessages.tooLong(LETTER_LIMITS.wording))),
  z.pipe(z.transform(normalizeWording), z.nullable(validWording())),
);

/** The template as input; placeholders other than `PLACEHOLDERS` are rejected with 400. */
export const LetterTemplateInput = z.object({ ...LetterTemplate.shape, wording: Wording });

function normalizeWording(given: string | null | undefined): string | null {
  return given === null || given === undefined ? null : normalizeText(given) || null;
}

function validWording() {
  return z.string().check(
    z.maxLength(LETTER_LIMITS.wording, commonMessages.tooLong(LETTER_LIMITS.wording)),
    z.refine((wording: string) => findUnknownPlaceholder(wording) === undefined, {
      error: ({ input }) => letterMessages.placeholder(findUnknownPlaceholder(String(input)) ?? ''),
    }),
  );
}

function isPlaceholder(name: string): name is Placeholder {
  return PLACEHOLDERS.some((one) => one === name);
}
