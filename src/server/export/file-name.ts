import { fold } from '#shared/text-normalization.ts';

/** The parts of a file's name, in plain ASCII, joined by underscores; blank ones are left out. */
export function fileName(...parts: readonly (string | undefined)[]): string {
  return parts
    .map((part) => slug(part ?? ''))
    .filter(Boolean)
    .join('_');
}

function slug(name: string): string {
  return fold(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
}
