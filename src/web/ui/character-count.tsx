import { useText } from '../lib/text.ts';

/** How many characters of a text's limit are used; it shows from 80 % on, in words that are read out. */
export function CharacterCount({ count, max }: { count: number; max: number }) {
  const { t } = useText();
  const isNear = count >= max * 0.8;
  return (
    <p
      role="status"
      className={`figures text-right text-sm ${count >= max ? 'font-medium text-danger' : 'text-soft'}`}
    >
      {isNear && t('web:charactersUsed', { count, max })}
    </p>
  );
}
