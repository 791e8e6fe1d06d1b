import { useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { District } from '#features/schools/district-settings/contract.ts';
import type { Id } from '#shared/id.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { createFocusTargets } from '#web/ui/focus-target.ts';
import { FormMessage } from '#web/ui/notice.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { notify } from '#web/ui/toasts.ts';
import { MySuggestions } from './my-suggestions.tsx';
import { SuggestionForm, useSuggestionForm } from './suggestion-form.tsx';

export type SuggestionsProps = {
  /** The school for a new suggestion. */
  school: PublicSchool;
  /** All schools of the viewer. */
  schoolIds: readonly Id[];
  district: District;
  isOpen: boolean;
  /** Opens the form for a new suggestion with this name. */
  startName?: string | undefined;
  onClose: () => void;
  /** Opens an activity to log hours for it. */
  onActivity: (activity: { id: number; schoolId: number }) => void;
};

type Tab = 'mine' | 'new';

/** Activity Suggestions: the viewer's own suggestions, and a form for a new one. */
export function SuggestionsDialog(props: SuggestionsProps) {
  const { school, schoolIds, district, isOpen, startName, onClose, onActivity } = props;
  const { t } = useTranslation();
  const [tab, setTab] = useState<Tab>('mine');
  const [sent, setSent] = useState<string>();
  const [titleAt] = useState(() => createFocusTargets<Tab>());
  const form = useSuggestionForm(school, (message) => {
    setSent(message);
    setTab('mine');
    // The button that had the focus is gone.
    setTimeout(titleAt('mine').focus);
  });
  const [started, setStarted] = useState<string>();
  if (isOpen && startName !== started) {
    setStarted(startName);
    if (startName !== undefined) {
      setSent(undefined);
      setTab('new');
      // Does not overwrite text that the user has started to type.
      if (!form.isChanged) form.set('name', startName);
    }
  }
  if (!isOpen && started !== undefined) setStarted(undefined);
  function close() {
    // Closing the dialog loses nothing: the typed text is still there when it opens again.
    if (form.isChanged) notify.success(t('suggestions:draftKept'));
    setSent(undefined);
    onClose();
  }
  function show(next: Tab) {
    setSent(undefined);
    setTab(next);
  }
  function lead(activity: { id: number; schoolId: number }) {
    close();
    onActivity(activity);
  }
  return (
    <Dialog title={t('suggestions:dialogTitle')} isOpen={isOpen} onClose={close}>
      <Tabs<Tab>
        label={t('suggestions:tabs')}
        selected={tab}
        onSelect={show}
        titleAt={titleAt}
        tabs={[
          {
            key: 'mine',
            title: t('suggestions:mine'),
            content: (
              <div className={sent === undefined ? '-mt-2' : 'flex flex-col gap-3'}>
                <FormMessage success={sent} />
                <MySuggestions
                  zone={district.timeZone}
                  schoolIds={schoolIds}
                  onActivity={lead}
                  onNew={() => show('new')}
                />
              </div>
            ),
          },
          {
            key: 'new',
            title: t('suggestions:new'),
            content: (
              <SuggestionForm
                form={form}
                school={schoolIds.length > 1 ? school : undefined}
                onActivity={lead}
              />
            ),
          },
        ]}
      />
    </Dialog>
  );
}
