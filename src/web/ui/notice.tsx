import { CircleAlert, CircleCheck, Info, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { Button } from './button.tsx';

/** A calm amber card about something to do first. It may contain the control for it. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <div className="flex gap-3 rounded-xl border border-notice-line bg-notice-wash px-4 py-3 text-notice">
      <Info aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div className="min-w-0 grow wrap-anywhere">{children}</div>
    </div>
  );
}

/** Replaces something that could not be loaded, with a retry button. */
export function ErrorBox({
  text,
  detail,
  onRetry,
  isRetrying = false,
  onReload,
}: {
  text: string;
  /** A second line with the reason, if known. */
  detail?: string | undefined;
  onRetry?: () => void;
  isRetrying?: boolean;
  /** Reloads the whole page. */
  onReload?: () => void;
}) {
  const { t } = useTranslation();
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
      {onReload !== undefined && <Button onPress={onReload}>{t('web:reload')}</Button>}
    </div>
  );
}

/**
 * Form-level messages; put it right above the button. Always rendered, because screen readers announce only changes
 * inside an existing alert.
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
