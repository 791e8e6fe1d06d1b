/**
 * Puts the focus into the first field of a form that has just opened, so that whoever opened it begins to type at
 * once. Not on phones, where the keyboard on the screen would cover what the form says, and not past a button or a
 * link that comes before the field. For `ref`.
 */
export function focusFirstField(content: HTMLElement | null): void {
  if (content === null || !matchMedia('(pointer: fine)').matches) return;
  // A number has a button on either side, which is not what anybody begins with.
  const first = content.querySelector<HTMLElement>(
    'input, textarea, select, button:not(:has(+ input)), a[href]',
  );
  if (first?.matches('input, textarea, select')) first.focus();
}
