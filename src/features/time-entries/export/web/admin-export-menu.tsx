import { useMutation, useQuery } from '@tanstack/react-query';
import { Download, X } from 'lucide-react';
import { useState } from 'react';
import type { Id } from '#shared/id.ts';
import { call, failureText } from '#web/api/call.ts';
import { saveFrom } from '#web/api/download.ts';
import { formatCount } from '#web/i18n/count-text.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Menu, type MenuAction } from '#web/ui/menu.tsx';
import { Bar } from '#web/ui/progress-bar.tsx';
import { notify } from '#web/ui/toasts.ts';
import { type Filters, filterParams } from '../../admin-list/web/admin-filters.ts';
import {
  cancelExport,
  type Export,
  type ExportFormat,
  exportMessages,
  exportTimeEntries,
  readExport,
} from '../contract.ts';

const POLL_MS = 500;

/** Exports the list as a file: the state behind the menu and the progress below it. */
export function useExport(schoolId: Id | undefined, filters: Filters) {
  const { say } = useTranslation();
  const [started, setStarted] = useState<Export>();
  const current = useQuery({
    queryKey: ['time-entries-export', started?.id],
    queryFn: ({ signal }) =>
      call(readExport, { params: { id: started?.id ?? 0 }, signal }).then((reply) => reply.export),
    enabled: started !== undefined,
    refetchInterval: ({ state }) => (state.data !== undefined && isFinished(state.data) ? false : POLL_MS),
    retry: true,
    gcTime: 0,
  });
  const progress = current.data ?? started;

  const request = useMutation({
    mutationFn: (format: ExportFormat) => {
      const { sortBy, sortOrder } = filters;
      const body = { format, ...filterParams(filters, schoolId), sortBy, sortOrder };
      return call(exportTimeEntries, { body });
    },
    onSuccess: (reply) => {
      // The browser saves the file as it streams in, because a page cannot hold a million rows.
      saveFrom(reply.url);
      setStarted(reply.export);
    },
    onError: (error) => notify.failure(failureText(error, exportMessages.failed)),
  });
  const cancellation = useMutation({
    mutationFn: (id: Id) => call(cancelExport, { params: { id } }),
    onSuccess: ({ message }) => {
      notify.success(message);
      setStarted(undefined);
    },
    onError: (error) => notify.failure(failureText(error)),
  });

  return {
    export: progress,
    isBusy: request.isPending || (progress !== undefined && !isFinished(progress)),
    begin: request.mutate,
    cancel: () => progress && cancellation.mutate(progress.id),
    close: () => setStarted(undefined),
    failure:
      progress?.status === 'failed' || progress?.status === 'expired'
        ? say(exportMessages.failed)
        : undefined,
  };
}

type Exporting = ReturnType<typeof useExport>;

/** The menu with both file formats. */
export function ExportMenu({ exporting, isDisabled }: { exporting: Exporting; isDisabled: boolean }) {
  const { t } = useTranslation();
  return (
    <Menu
      label={t('time-entries:export')}
      icon={<Download aria-hidden="true" className="size-5" />}
      isDisabled={isDisabled}
      isBusy={exporting.isBusy}
      actions={exportMenuItems(exporting, t)}
    />
  );
}

/** Both file formats, as menu actions. */
export function exportMenuItems(exporting: Exporting, t: Text['t']): MenuAction[] {
  const icon = <Download aria-hidden="true" className="size-5" />;
  return [
    { key: 'csv', title: t('time-entries:exportCsv'), icon, onPress: () => exporting.begin('csv') },
    { key: 'xlsx', title: t('time-entries:exportExcel'), icon, onPress: () => exporting.begin('xlsx') },
  ];
}

/** The progress of the export, a way to stop it, and a message when the file is ready. */
export function ExportProgress({ exporting }: { exporting: Exporting }) {
  const text = useTranslation();
  const { t } = text;
  const { export: progress, failure } = exporting;
  const sentence = progress === undefined ? undefined : describeProgress(progress, text);
  return (
    <div className="contents print:hidden">
      <p role="status" className="sr-only">
        {progress !== undefined && progress.status !== 'running' && failure === undefined && sentence}
      </p>
      <p role="alert" className="sr-only">
        {failure}
      </p>
      {progress !== undefined && (
        <div
          className={`flex items-center gap-3 rounded-xl py-1.5 pr-1.5 pl-4 ${failure === undefined ? 'border border-line bg-card' : 'bg-danger-wash font-medium text-danger'}`}
        >
          <div className="min-w-0 grow py-1.5">
            <p className="figures wrap-anywhere">{failure ?? sentence}</p>
            {!isFinished(progress) && (
              <div
                role="progressbar"
                aria-label={t('time-entries:export')}
                aria-valuemin={0}
                aria-valuemax={progress.total}
                aria-valuenow={progress.rows}
                aria-valuetext={sentence}
                className="pt-1.5"
              >
                <Bar share={progress.total === 0 ? 0 : progress.rows / progress.total} />
              </div>
            )}
          </div>
          <IconButton
            label={isFinished(progress) ? t('web:close') : t('time-entries:cancelExport')}
            icon={<X aria-hidden="true" className="size-5" />}
            onPress={isFinished(progress) ? exporting.close : exporting.cancel}
          />
        </div>
      )}
    </div>
  );
}

function describeProgress({ status, rows, total }: Export, { t, language }: Text): string {
  const count = total;
  if (status === 'done') return t('time-entries:exported', { count });
  if (status === 'cancelled') return t('time-entries:exportCancelled');
  if (status === 'ready') return t('time-entries:exportStarting', { count });
  return t('time-entries:exporting', { rows: formatCount(rows, language), count });
}

function isFinished({ status }: Export): boolean {
  return status !== 'ready' && status !== 'running';
}
