import { useTranslation } from '../i18n/translate.ts';

type CharacterCountProps = {
  count: number;
  max: number;
  /** Shows from the first character on. Screen readers still get it only from 80 % on. */
  isAlwaysShown?: boolean;
};

/** The number of characters used of a text's limit, shown and announced from 80 % on. */
export function CharacterCount({ count, max, isAlwaysShown = false }: CharacterCountProps) {
  const { t } = useTranslation();
  const isNear = count >= max * 0.8;
  const words = t('web:charactersUsed', { count, max });
  return (
    <p
      role="status"
      className={`figures text-right text-sm ${count >= max ? 'font-medium text-danger' : 'text-soft'}`}
    >
      {isNear && words}
      {!isNear && isAlwaysShown && <span aria-hidden="true">{words}</span>}
    </p>
  );
}
