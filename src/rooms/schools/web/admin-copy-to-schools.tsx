import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Id } from '#base/id.ts';
import { notify } from '#web/lib/notify.ts';
import { oneByOne } from '#web/lib/one-by-one.ts';
import { refreshEverything } from '#web/lib/refresh.ts';
import { useText } from '#web/lib/text.ts';
import { useUnsaved } from '#web/lib/unsaved.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckList } from '#web/ui/check-list.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import type { PublicSchool } from '../contract.ts';

/** What is copied: in words, and how to one school. */
export type Copying = Readonly<{ name: string; hint: string; to: (schoolId: Id) => Promise<void> }>;

type CopyToSchoolsProps = {
  /** Undefined while the dialog is closed. */
  copying: Copying | undefined;
  schools: readonly PublicSchool[];
  onClose: () => void;
};

/** Copies something to other schools of the district. */
export function CopyToSchools({ copying, schools, onClose }: CopyToSchoolsProps) {
  const { t } = useText();
  return (
    <Dialog title={t('schools:copyToSchools')} isOpen={copying !== undefined} onClose={onClose}>
      {copying !== undefined && <CopyForm copying={copying} schools={schools} onClose={onClose} />}
    </Dialog>
  );
}

type CopyFormProps = CopyToSchoolsProps & { copying: Copying };

function CopyForm({ copying, schools, onClose }: CopyFormProps) {
  const { t } = useText();
  const client = useQueryClient();
  const [wanted, setWanted] = useState<Id[]>([]);
  const [copied, setCopied] = useState<readonly Id[]>([]);
  const [progress, setProgress] = useState<{ done: number; count: number }>();
  const [failure, setFailure] = useState<string>();
  useUnsaved(wanted.length > 0);

  async function copy(event: FormEvent) {
    event.preventDefault();
    const targets = schools.filter(({ id }) => wanted.includes(id));
    if (targets.length === 0 || progress !== undefined) return;
    setFailure(undefined);
    setProgress({ done: 0, count: targets.length });
    const failed = await oneByOne(
      targets,
      ({ id }) => copying.to(id),
      (done) => setProgress({ done, count: targets.length }),
    );
    setProgress(undefined);
    void refreshEverything(client);
    const left = failed.map(({ item }) => item.id);
    const done = targets.filter(({ id }) => !left.includes(id));
    if (done.length > 0) notify.success(t('schools:copiedTo', { count: done.length, name: copying.name }));
    if (left.length === 0) {
      onClose();
      return;
    }
    // The schools that failed stay ticked, so that pressing again tries only those.
    setCopied([...copied, ...done.map(({ id }) => id)]);
    setWanted(left);
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
        choices={schools.filter(({ id }) => !copied.includes(id))}
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
