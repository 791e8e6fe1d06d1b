import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import { FormSchool } from '#features/schools/web/admin-form-school.tsx';
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
import { parsePastedCategories } from './pasted-categories.ts';

/** Maximum number of names in a list. */
const MOST = 50;
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
    if (isTooLong || categories.length > MOST)
      return setProblem(t('categories:severalLimit', { most: MOST, characters: LIMITS.name }));
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
        max={MOST * (LIMITS.name + COLOR_CHARACTERS)}
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
