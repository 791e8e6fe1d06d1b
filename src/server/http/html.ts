const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML built by `html`: the only text inserted into a page unescaped. */
export type Html = Readonly<{ markup: string }>;

/**
 * A tagged template for HTML. Values are escaped, so user input is never markup. Nested `html`, and arrays of it, are inserted
 * unescaped; `null` is blank.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return {
    markup: strings.map((string, at) => (at === 0 ? '' : written(values[at - 1] ?? null)) + string).join(''),
  };
}

/** Escapes the characters with a meaning in HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

type Value = string | number | Html | readonly Html[] | null;

function written(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}
