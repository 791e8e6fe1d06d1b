import { CircleAlert, CircleCheck, Info, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../lib/text.ts';
import { Button } from './button.tsx';

/** The calm amber card: something is needed first. The fix may stand inside it. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <div className="flex gap-3 rounded-xl border border-notice-line bg-notice-wash px-4 py-3 text-notice">
      <Info aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div className="min-w-0 grow wrap-anywhere">{children}</div>
    </div>
  );
}

/** Something could not be loaded: said where it would stand, with a way to try again. */
export function ErrorBox({
  text,
  detail,
  onRetry,
  isRetrying = false,
}: {
  text: string;
  /** A second line: why, as far as it is known. */
  detail?: string | undefined;
  onRetry?: () => void;
  isRetrying?: boolean;
}) {
  const { t } = useText();
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl bg-danger-wash px-4 py-3 text-danger"
    >
      <CircleAlert aria-hidden="true" className="size-5 shrink-0" />
      <div className="min-w-[min(10rem,100%)] flex-1 wrap-anywhere">
        <p className="font-medium">{text}</p>
        {detail !== undefined && <p className="text-dense">{detail}</p>}
      </div>
      {onRetry !== undefined && (
        <Button
          onPress={onRetry}
          isBusy={isRetrying}
          icon={<RotateCw aria-hidden="true" className="size-4" />}
        >
          {t('web:tryAgain')}
        </Button>
      )}
    </div>
  );
}

/**
 * Where a form says what concerns it as a whole; put it right above its button. It is on the page from the start,
 * because screen readers announce only what changes inside an alert that is already there.
 */
export function FormMessage({
  message,
  summary,
  success,
}: {
  message?: string | undefined;
  summary?: string | undefined;
  success?: string | undefined;
}) {
  return (
    <div role="alert">
      {summary !== undefined && <p className="sr-only">{summary}</p>}
      {message !== undefined && (
        <p className="rise flex gap-2.5 rounded-xl bg-danger-wash px-4 py-3 font-medium text-danger">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{message}</span>
        </p>
      )}
      {success !== undefined && (
        <p className="rise flex gap-2.5 rounded-xl bg-wash px-4 py-3 font-medium">
          <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-brand" />
          <span className="min-w-0 wrap-anywhere">{success}</span>
        </p>
      )}
    </div>
  );
}
