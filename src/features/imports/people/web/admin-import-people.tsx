import { Download } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { usePublicSchools } from '#features/schools/web/api.ts';
import { ShareableLinkDialog } from '#features/users/web/admin-shareable-link.tsx';
import type { AdminUsersProps } from '#features/users/web/admin-users-props.ts';
import { formatMoment } from '#shared/calendar-date.ts';
import { fullName } from '#shared/person-name.ts';
import { CallError, failureText } from '#web/api/call.ts';
import { useCan } from '#web/api/permissions.ts';
import { useUnsaved } from '#web/forms/unsaved-changes.ts';
import { inWords } from '#web/i18n/count-text.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { ListFileButton } from '#web/ui/admin/admin-file-button.tsx';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';
import { HistoryDialog, HistoryList } from '#web/ui/admin/history-list.tsx';
import { ListFileField } from '#web/ui/admin/list-file-field.tsx';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { ListTitle } from '#web/ui/admin/list-page.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { Select } from '#web/ui/select.tsx';
import { notify } from '#web/ui/toasts.ts';
import { IMPORT, type ImportPreview, type KeptByUndo, messages, type UserImport } from '../contract.ts';
import { downloadTemplate, useImport, useImports, usePreview, useUndoImport } from './admin-api.ts';
import { ImportPreviewStep } from './admin-preview-step.tsx';

type ChosenFile = Readonly<{ name: string; csv: string }>;

/** Imports many people from a list: choose a file or paste, check the preview, import. Recent imports can be undone. */
export function Import({ district }: AdminUsersProps) {
  const { t } = useTranslation();
  const id = useId();
  const [pasted, setPasted] = useState('');
  const [file, setFile] = useState<ChosenFile>();
  const [schoolId, setSchoolId] = useState('');
  const [preview, setPreview] = useState<ImportPreview>();
  const [links, setLinks] = useState<readonly { email: string; link: string }[]>([]);
  const sending = useImport();
  useUnsaved(pasted !== '' || file !== undefined);
  const [unconfirmed, setUnconfirmed] = useState(false);
  const previewing = usePreview();
  const schoolIds = schoolId === '' ? [] : [Number(schoolId)];
  const list = { csv: file?.csv ?? pasted, schoolIds, unconfirmed };

  async function run(choices: { leaveOutFaulty: boolean; sendMail: boolean }, key: string) {
    const { message, links } = await sending.mutateAsync({ ...list, ...choices, key });
    notify.success(message);
    if (links !== null) setLinks(links);
    setPreview(undefined);
    setUnconfirmed(false);
    setPasted('');
    setFile(undefined);
    setTimeout(listTitle.focus);
  }

  async function addUnconfirmed(isWanted: boolean) {
    setPreview(await previewing.mutateAsync({ ...list, unconfirmed: isWanted }));
    setUnconfirmed(isWanted);
  }

  function goBack() {
    setPreview(undefined);
    setUnconfirmed(false);
    setTimeout(listTitle.focus);
  }

  return (
    <section aria-labelledby={id} className="flex flex-col gap-5">
      <ListTitle id={id} title={t('people:title')} />
      {preview === undefined ? (
        <ListStep
          pasted={pasted}
          onPaste={setPasted}
          file={file}
          onFile={setFile}
          schoolId={schoolId}
          onSchool={setSchoolId}
          list={list}
          onPreview={setPreview}
        />
      ) : (
        <ImportPreviewStep
          preview={preview}
          unconfirmed={unconfirmed}
          onUnconfirmed={addUnconfirmed}
          onBack={goBack}
          onImport={run}
        />
      )}
      <PastImports zone={district.timeZone} />
      <ShareableLinkDialog
        title={t('people:linksReady')}
        ready={
          links.length === 0
            ? undefined
            : {
                message: t('people:linksWait', { count: links.length, days: IMPORT.linkDays }),
                label: t('people:linksLabel'),
                link: links.map(({ email, link }) => `${email}\t${link}`).join('\n'),
              }
        }
        onClose={() => setLinks([])}
      />
    </section>
  );
}

type ListStepProps = {
  pasted: string;
  onPaste: (text: string) => void;
  file: ChosenFile | undefined;
  onFile: (file: ChosenFile | undefined) => void;
  schoolId: string;
  onSchool: (id: string) => void;
  list: { csv: string; schoolIds: number[] };
  onPreview: (preview: ImportPreview) => void;
};

function ListStep(props: ListStepProps) {
  const { pasted, onPaste, file, onFile, schoolId, onSchool, list, onPreview } = props;
  const { t, say } = useTranslation();
  const may = useCan();
  const schools = (usePublicSchools().data ?? []).filter(({ id }) => may('import people', id));
  const previewing = usePreview();
  const [problem, setProblem] = useState<string>();

  function choose(csv: string, name: string) {
    const isTooLong = csv.length > IMPORT.characters;
    setProblem(isTooLong ? say(messages.fileTooLong) : undefined);
    onFile(isTooLong ? undefined : { name, csv });
  }

  async function check(event: FormEvent) {
    event.preventDefault();
    if (previewing.isPending) return;
    if (list.csv.trim() === '') {
      setProblem(say(messages.fileRequired));
      return;
    }
    setProblem(undefined);
    try {
      onPreview(await previewing.mutateAsync(list));
    } catch (error) {
      const named = error instanceof CallError ? Object.values(error.fields)[0] : undefined;
      setProblem(named ?? failureText(error));
    }
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-5 rounded-card border border-line bg-card p-5 sm:p-6"
      onSubmit={(event) => void check(event)}
    >
      <p className="max-w-184">{t('people:help')}</p>
      <div className="flex flex-wrap gap-2">
        <ListFileButton onText={choose}>{t('people:choose')}</ListFileButton>
        <Button
          kind="plain"
          icon={<Download aria-hidden="true" className="size-5" />}
          onPress={() =>
            void downloadTemplate().catch((error: unknown) => notify.failure(failureText(error)))
          }
        >
          {t('people:template')}
        </Button>
      </div>
      <ListFileField
        file={
          file && {
            text: t('people:chosen', { name: file.name, rows: linesIn(file.csv) }),
            removeLabel: t('people:removeFile', { name: file.name }),
          }
        }
        pasteLabel={t('people:paste')}
        pasted={pasted}
        max={IMPORT.characters}
        onPaste={(text) => {
          onPaste(text);
          setProblem(undefined);
        }}
        onRemove={() => onFile(undefined)}
      />
      <div className="sm:max-w-96">
        <Select
          name="schoolId"
          label={t('people:defaultSchool')}
          value={schoolId}
          onChange={onSchool}
          prompt={t('people:noDefault')}
          choices={schools.map(({ id, name }) => ({ value: String(id), text: name }))}
        />
      </div>
      <FormMessage message={problem} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button kind="primary" type="submit" isBusy={previewing.isPending} busyText={t('people:checking')}>
          {t('people:check')}
        </Button>
        <p className="text-soft">{t('people:nothingYet')}</p>
      </div>
    </form>
  );
}

function linesIn(text: string): number {
  return text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '').length;
}

/** Recent imports, each with an Undo button. */
function PastImports({ zone }: { zone: string }) {
  const text = useTranslation();
  const { t, language } = text;
  const undoing = useUndoImport();
  const [chosen, setChosen] = useState<UserImport>();
  const [kept, setKept] = useState<{ count: number; people: readonly KeptByUndo[] }>();
  const when = (of: UserImport) => formatMoment(of.importedAt, language, zone);

  async function undo() {
    if (chosen === undefined) return;
    const reply = await undoing.mutateAsync(chosen.id);
    setChosen(undefined);
    notify.success(reply.message);
    // The button that opened the dialog is gone.
    if (reply.keptCount > 0) setKept({ count: reply.keptCount, people: reply.kept });
    else setTimeout(listTitle.focus);
  }

  function rowOf(of: UserImport) {
    const counted = [
      { count: of.people, message: messages.countedPeople },
      { count: of.memberships, message: messages.countedMemberships },
    ];
    return {
      when: when(of),
      undone:
        of.undoneAt === null
          ? undefined
          : t('people:undoneOn', { when: formatMoment(of.undoneAt, language, zone) }),
      facts: [
        inWords(counted, text),
        ...(of.importedBy === null ? [] : [t('users:inviteBy', { name: fullName(of.importedBy) })]),
      ],
      undoLabel: t('people:undoOf', { when: when(of) }),
    };
  }

  return (
    <HistoryList
      title={t('people:past', { days: IMPORT.undoDays })}
      list={useImports()}
      failedToLoad={messages.failedToLoad}
      none={t('people:pastNone')}
      rowOf={rowOf}
      undoText={t('people:undo')}
      onUndo={setChosen}
    >
      <ConfirmDelete
        title={t('people:undoTitle')}
        question={chosen && t('people:undoQuestion', { when: when(chosen) })}
        confirmText={t('people:undo')}
        onConfirm={undo}
        onClose={() => setChosen(undefined)}
      />
      <HistoryDialog
        title={t('people:keptTitle', { count: kept?.count ?? 0 })}
        lines={kept?.people.map(({ user, reason }) => t('people:kept', { name: fullName(user), reason }))}
        onClose={() => setKept(undefined)}
      />
    </HistoryList>
  );
}
