import { type FormEvent, type ReactNode, useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { Id } from '#shared/id.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { ListFileButton } from '#web/ui/admin/admin-file-button.tsx';
import { ListFileField } from '#web/ui/admin/list-file-field.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { Select } from '#web/ui/select.tsx';
import { IMPORT, messages } from '../contract.ts';
import { type Draft, NO_DRAFT } from './import-draft.ts';

type FileStepProps = {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  /** The schools to choose from; undefined when only one is possible. */
  schools: readonly PublicSchool[] | undefined;
  schoolId: Id | undefined;
  isBusy: boolean;
  message: ReactNode;
  onCheck: () => void;
};

/** The first step: the school, and a file or pasted text. */
export function FileStep({ draft, change, schools, schoolId, isBusy, message, onCheck }: FileStepProps) {
  const { t, say } = useTranslation();
  const [problem, setProblem] = useState<string>();
  // Answers about one file do not apply to another.
  const take = (csv: string, fileName: string | undefined) =>
    change({ ...NO_DRAFT, schoolId: draft.schoolId, csv, fileName });

  function choose(csv: string, name: string) {
    const isTooLong = csv.length > IMPORT.characters;
    setProblem(isTooLong ? say(messages.fileTooLong) : undefined);
    if (!isTooLong) take(csv, name);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    onCheck();
  }

  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={submit}>
      <p className="max-w-184">{t('hours:help')}</p>
      {schools !== undefined && schools.length > 1 && (
        <div className="sm:max-w-96">
          <Select
            name="schoolId"
            label={t('schools:one')}
            value={String(schoolId ?? '')}
            onChange={(value) => change({ schoolId: Number(value) || undefined, people: [], activities: [] })}
            prompt={t('schools:chooseOne')}
            choices={schools.map(({ id, name }) => ({ value: String(id), text: name }))}
          />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <ListFileButton onText={choose}>{t('hours:choose')}</ListFileButton>
      </div>
      <ListFileField
        file={
          draft.fileName === undefined
            ? undefined
            : {
                text: t('hours:chosen', { name: draft.fileName, count: linesIn(draft.csv) }),
                removeLabel: t('hours:removeFile', { name: draft.fileName }),
              }
        }
        pasteLabel={t('hours:paste')}
        pasted={draft.csv}
        max={IMPORT.characters}
        onPaste={(text) => take(text, undefined)}
        onRemove={() => take('', undefined)}
      />
      <FormMessage message={problem} />
      {message}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button kind="primary" type="submit" isBusy={isBusy} busyText={t('hours:checking')}>
          {t('hours:readFile')}
        </Button>
        <p className="text-soft">{t('hours:nothingYet')}</p>
      </div>
    </form>
  );
}

// The number of non-empty lines, not counting the line with the column names.
function linesIn(text: string): number {
  return Math.max(0, text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '').length - 1);
}
