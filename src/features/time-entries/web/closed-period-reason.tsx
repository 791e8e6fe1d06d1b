import { useState } from 'react';
import { useUnsaved } from '#web/forms/unsaved-changes.ts';
import type { FieldBinding } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { TextArea } from '#web/ui/text-area.tsx';
import { LIMITS } from '../contract.ts';

type ClosedReasonProps = {
  field: FieldBinding<string>;
  /** Whether the chosen day is known to be closed. If it is not known, the server's error shows it. */
  isClosed: boolean;
};

/** Asks for the reason for changing hours of a closed period. Once shown, the field stays, so that typed text is not lost. */
export function ClosedReason({ field, isClosed }: ClosedReasonProps) {
  const [isAsked, setIsAsked] = useState(false);
  const isNeeded = isClosed || field.error !== undefined;
  if (isNeeded && !isAsked) setIsAsked(true);
  return isAsked || isNeeded ? <ReasonField {...field} /> : null;
}

/** Asks for the reason in a delete confirmation, with a warning before typed text is lost. */
export function ReasonToDelete({ field, isFocused }: { field: FieldBinding<string>; isFocused: boolean }) {
  useUnsaved(field.value !== '');
  return (
    <div ref={isFocused ? focusField : undefined} className="mb-4">
      <ReasonField {...field} />
    </div>
  );
}

function ReasonField(field: FieldBinding<string>) {
  const { t } = useTranslation();
  return (
    <TextArea
      {...field}
      label={t('time-entries:closedReason')}
      hint={t('time-entries:closedReasonHint')}
      max={LIMITS.notes}
      isAlwaysCounted
      isRequired
    />
  );
}

function focusField(box: HTMLElement | null): void {
  box?.querySelector('textarea')?.focus();
}
