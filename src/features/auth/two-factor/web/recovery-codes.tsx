import { useState } from 'react';
import { saveBlob } from '#web/api/download.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';

type RecoveryCodesProps = { codes: readonly string[]; help: string; onDone: () => void };

/** Shows the recovery codes, this once, with ways to save them. */
export function RecoveryCodes({ codes, help, onDone }: RecoveryCodesProps) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState<'copied' | 'copyFailed'>();
  const text = [t('two-factor:codesOf', { host: location.host }), '', ...codes, ''].join('\n');
  async function copy() {
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setCopied(done === true ? 'copied' : 'copyFailed');
  }
  return (
    <div className="flex flex-col gap-3">
      <h4 className="font-medium">{t('two-factor:codesTitle')}</h4>
      <Notice>{help}</Notice>
      <ul className="figures grid grid-cols-1 gap-x-6 gap-y-1 rounded-xl border border-line px-4 py-3 select-all sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onPress={() => save(text)}>{t('two-factor:download')}</Button>
        <Button onPress={() => void copy()}>{t('two-factor:copy')}</Button>
        <Button onPress={() => print(text)}>{t('two-factor:print')}</Button>
        <Button kind="primary" onPress={onDone}>
          {t('two-factor:codesKept')}
        </Button>
      </div>
      <p role="status" className="text-soft">
        {copied !== undefined && t(`two-factor:${copied}`)}
      </p>
    </div>
  );
}

function save(text: string) {
  saveBlob(new Blob([text], { type: 'text/plain' }), 'recovery-codes.txt');
}

// In a window of its own, so that nothing else is printed.
function print(text: string) {
  const page = window.open('', '_blank');
  if (page === null) return;
  const block = page.document.createElement('pre');
  block.textContent = text;
  page.document.body.append(block);
  page.print();
  page.close();
}
