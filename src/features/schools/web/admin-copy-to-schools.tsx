import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Id } from '#shared/id.ts';
import { refreshEverything } from '#web/api/list-cache.ts';
import { runOneByOne } from '#web/api/sequential-requests.ts';
import { useUnsaved } from '#web/forms/unsaved-changes.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckList } from '#web/ui/check-list.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/toasts.ts';
import type { PublicSchool } from '../contract.ts';

/** Undoes a copy. Returns how many copied items stay because they are in use. */
export type UndoCopy = () => Promise<number>;

/** The description of what is copied, and the function that copies it to one school. A copy that added nothing has no undo. */
export type Copying = Readonly<{
  name: string;
  hint: string;
  to: (schoolId: Id) => Promise<UndoCopy | undefined>;
}>;

/** A school that received a copy, with its undo function. */
type Copied = Readonly<{ id: Id; name: string; undo: UndoCopy | undefined }>;

type CopyToSchoolsProps = {
  /** Undefined while the dialog is closed. */
  copying: Copying | undefined;
  schools: readonly PublicSchool[];
  onClose: () => void;
};

/** Copies something to other schools of the district. */
export function CopyToSchools({ copying, schools, onClose }: CopyToSchoolsProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('schools:copyToSchools')} isOpen={copying !== undefined} onClose={onClose}>
      {copying !== undefined && <CopyForm copying={copying} schools={schools} onClose={onClose} />}
    </Dialog>
  );
}

type CopyFormProps = CopyToSchoolsProps & { copying: Copying };

function CopyForm({ copying, schools, onClose }: CopyFormProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const undo = useUndoCopies();
  const [wanted, setWanted] = useState<Id[]>([]);
  const [copied, setCopied] = useState<readonly Copied[]>([]);
  const [progress, setProgress] = useState<{ done: number; count: number }>();
  const [failure, setFailure] = useState<string>();
  useUnsaved(wanted.length > 0);

  async function copy(event: FormEvent) {
    event.preventDefault();
    const targets = schools.filter(({ id }) => wanted.includes(id));
    if (targets.length === 0 || progress !== undefined) return;
    setFailure(undefined);
    setProgress({ done: 0, count: targets.length });
    const now: Copied[] = [];
    const failed = await runOneByOne(
      targets,
      async ({ id, name }) => void now.push({ id, name, undo: await copying.to(id) }),
      (done) => setProgress({ done, count: targets.length }),
    );
    setProgress(undefined);
    void refreshEverything(client);
    // One undo covers all schools, including those of an earlier attempt.
    const all = [...copied, ...now];
    if (now.length > 0) {
      const message = t('schools:copiedTo', { count: now.length, name: copying.name });
      notify.success(message, undo(copying.name, all));
    }
    if (failed.length === 0) {
      onClose();
      return;
    }
    // Schools that failed stay checked, so that the next attempt covers only those.
    setCopied(all);
    setWanted(failed.map(({ item }) => item.id));
    setFailure(failed.map(({ item, error }) => `${item.name}: ${error.message}`).join(' '));
  }

  return (
    <form onSubmit={(event) => void copy(event)} noValidate className="flex flex-col gap-4">
      <p className="text-soft">{copying.hint}</p>
      <CheckList
        label={t('schools:copyTargets')}
        searchLabel={t('schools:searchSchools')}
        noMatch={t('schools:noSchoolFound')}
        name="schoolIds"
        choices={schools.filter(({ id }) => !copied.some((school) => school.id === id))}
        value={wanted}
        onChange={setWanted}
      />
      <FormMessage message={failure} />
      <DialogActions>
        <Button kind="plain" onPress={onClose}>
          {t('web:cancel')}
        </Button>
        <Button
          kind="primary"
          type="submit"
          isBusy={progress !== undefined}
          busyText={progress === undefined ? undefined : t('schools:copying', { ...progress })}
          isDisabled={wanted.length === 0}
        >
          {wanted.length === 0 ? t('schools:copy') : t('schools:copyTo', { count: wanted.length })}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Returns a function that makes a notice's Undo for the copies at all schools, or undefined if nothing was added. */
function useUndoCopies() {
  const { t } = useTranslation();
  const client = useQueryClient();

  async function undoAll(name: string, copied: readonly Copied[]) {
    let kept = 0;
    const failed = await runOneByOne(
      copied,
      async ({ undo }) => {
        kept += (await undo?.()) ?? 0;
      },
      () => undefined,
    );
    void refreshEverything(client);
    const count = copied.length - failed.length;
    const stays = kept === 0 ? '' : ` ${t('schools:copyKept', { count: kept })}`;
    if (count > 0) notify.success(`${t('schools:copyUndone', { count, name })}${stays}`);
    if (failed.length > 0)
      notify.failure(failed.map(({ item, error }) => `${item.name}: ${error.message}`).join(' '));
  }

  return (name: string, copied: readonly Copied[]) => {
    const some = copied.filter(({ undo }) => undo !== undefined);
    return some.length === 0 ? {} : { undo: () => void undoAll(name, some) };
  };
}
