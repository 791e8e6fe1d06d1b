const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML that was put together by `html`: the only text that goes into a page as it is. */
export type Html = Readonly<{ markup: string }>;

/**
 * HTML as a tagged template. Every value is escaped, so that what people typed is never markup; pieces of `html` and
 * lists of them go in as they are, and `null` is nothing.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return {
    markup: strings.map((string, at) => (at === 0 ? '' : written(values[at - 1] ?? null)) + string).join(''),
  };
}

/** A text with what has a meaning in HTML escaped. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

type Value = string | number | Html | readonly Html[] | null;

function written(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}
