import { Component, type ReactNode } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { reloadNewest } from '../offline/reload-new-version.ts';
import { ErrorBox } from './notice.tsx';

type ErrorBoundaryProps = { children: ReactNode };

/** Replaces a screen that fails to render with a message and a Reload button. The rest of the page keeps working. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? <ScreenFailed /> : this.props.children;
  }
}

function ScreenFailed() {
  const { t } = useTranslation();
  return (
    <div className="p-4">
      <ErrorBox text={t('web:screenFailed')} onReload={() => void reloadNewest()} />
    </div>
  );
}
