import { useQueryClient } from '@tanstack/react-query';
import colorNames from 'color-name';
import { type FormEvent, useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import { FormSchool } from '#features/schools/web/admin-form-school.tsx';
import { foldForSearch, normalizeText } from '#shared/text-normalization.ts';
import { failureText } from '#web/api/call.ts';
import { refreshEverything } from '#web/api/list-cache.ts';
import { useUnsaved } from '#web/forms/unsaved-changes.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { notify } from '#web/ui/toasts.ts';
import { LIMITS, messages } from '../contract.ts';
import { addCategories, removeCategories } from './admin-api.ts';

/** Maximum number of names in a list. */
const MAX_NAMES = 50;
// A tab, the longest color name, and the line break.
const COLOR_CHARACTERS = 32;

type AddCategoriesProps = {
  isOpen: boolean;
  /** Undefined in the list of all schools. */
  school: PublicSchool | undefined;
  onClose: () => void;
};

/** Adds categories to a school in bulk: one name per line, optionally followed by a color. */
export function AddCategories({ isOpen, school, onClose }: AddCategoriesProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('categories:severalTitle')} isOpen={isOpen} onClose={onClose}>
      <FormSchool school={school} needs="edit categories">
        {(at) => <NamesForm schoolId={at.id} onClose={onClose} />}
      </FormSchool>
    </Dialog>
  );
}

function NamesForm({ schoolId, onClose }: { schoolId: number; onClose: () => void }) {
  const { t, say } = useTranslation();
  const client = useQueryClient();
  const [list, setList] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  useUnsaved(list.trim() !== '');

  async function add(event: FormEvent) {
    event.preventDefault();
    const categories = parsePastedCategories(list);
    const isTooLong = categories.some(({ name }) => name.length > LIMITS.name);
    if (categories.length === 0) return setProblem(say(messages.nameRequired));
    if (isTooLong || categories.length > MAX_NAMES)
      return setProblem(t('categories:severalLimit', { most: MAX_NAMES, characters: LIMITS.name }));
    if (isBusy) return;
    setIsBusy(true);
    try {
      const added = await addCategories(schoolId, categories);
      const undo = () =>
        void removeCategories(added)
          .catch((error: unknown) => notify.failure(failureText(error)))
          .finally(() => void refreshEverything(client));
      notify.success(
        t('categories:severalAdded', { count: added.length }),
        added.length === 0 ? {} : { undo },
      );
      onClose();
    } catch (error) {
      setProblem(failureText(error));
    } finally {
      setIsBusy(false);
      void refreshEverything(client);
    }
  }

  return (
    <form onSubmit={(event) => void add(event)} noValidate className="flex flex-col gap-4">
      <TextArea
        name="names"
        label={t('categories:severalNames')}
        hint={t('categories:severalHint')}
        value={list}
        onChange={(next) => {
          setList(next);
          setProblem(undefined);
        }}
        max={MAX_NAMES * (LIMITS.name + COLOR_CHARACTERS)}
        isTall
      />
      <FormMessage message={problem} />
      <DialogActions>
        <Button kind="plain" onPress={onClose}>
          {t('web:cancel')}
        </Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {t('categories:severalAdd')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** A category of a pasted list. Without a color it gets an unused one. */
type PastedCategory = Readonly<{ name: string; color?: string }>;

const HEX = /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
/**
 * Parses pasted categories: one name per line or cell. The second of two cells may be a color, and a line may end with
 * a hex color such as #2b6cb0. Skips a header row.
 */
export function parsePastedCategories(pasted: string): PastedCategory[] {
  const lines = pasted.split(/\r\n|\r|\n/).map((line) => line.split('\t').map(normalizeText));
  const rows = lines.filter((cells) => cells.some((cell) => cell !== ''));
  const [first] = rows;
  return (first !== undefined && isHeading(first) ? rows.slice(1) : rows).flatMap(parseRow);
}

function isHeading([, color = '', ...rest]: readonly string[]): boolean {
  return /^colou?r$/.test(foldForSearch(color)) && rest.every((cell) => cell === '');
}

function parseRow(cells: readonly string[]): PastedCategory[] {
  const [name = '', color = '', ...rest] = cells;
  if (name !== '' && isColor(color) && rest.every((cell) => cell === '')) return [{ name, color }];
  return cells.filter((cell) => cell !== '').map(splitHexColor);
}

// Only a hex color counts after a name, because 'Autumn Orange' is a name.
function splitHexColor(cell: string): PastedCategory {
  const at = Math.max(cell.lastIndexOf('#'), 0);
  const [before, color] = [cell.slice(0, at), cell.slice(at)];
  const name = before.replace(/[\s,;]+$/, '');
  return name !== '' && name !== before && HEX.test(color) ? { name, color } : { name: cell };
}

function isColor(text: string): boolean {
  return HEX.test(text) || Object.hasOwn(colorNames, text.toLowerCase());
}
