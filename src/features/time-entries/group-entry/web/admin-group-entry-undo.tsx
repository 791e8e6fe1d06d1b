import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { baseMessages } from '#shared/common-messages.ts';
import { call, failureText } from '#web/api/call.ts';
import { refreshEverything } from '#web/api/refresh-lists.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/toasts.ts';
import { undoRoster } from '../contract.ts';
import { lastSentGroupEntry, type Owner, pageClock, saveSentGroupEntry } from './group-entry-drafts.ts';

/** Takes back a whole sheet. */
export function useUndoGroupEntry(owner: Owner) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (batch: string) => call(undoRoster, { body: { batch } }),
    onSuccess: ({ message }) => {
      saveSentGroupEntry(owner, null, pageClock());
      notify.success(message);
      void refreshEverything(client);
    },
    onError: (error) => notify.failure(failureText(error, baseMessages.requestFailed)),
  });
}

/** The sheet that was sent last, while it can be undone: also after a reload. */
export function SentGroupEntryNotice({ owner }: { owner: Owner }) {
  const { t } = useTranslation();
  const undo = useUndoGroupEntry(owner);
  const [sent] = useState(() => lastSentGroupEntry(owner, pageClock()));
  if (sent === undefined || undo.isSuccess) return null;
  return (
    <Notice>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="min-w-0 wrap-anywhere">{sent.message}</p>
        <Button isBusy={undo.isPending} onPress={() => undo.mutate(sent.batch)}>
          {t('time-entries:sheetUndo')}
        </Button>
      </div>
    </Notice>
  );
}
