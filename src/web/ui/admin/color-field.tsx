import { useTranslation } from '../../i18n/translate.ts';
import { chipStyle, resolveColor } from '../category.tsx';
import { hex, type Theme } from '../category-color.ts';
import { BOX, LabeledField, type LabeledFieldProps } from '../labeled-field.tsx';

type ColorFieldProps = LabeledFieldProps & {
  name: string;
  /** A CSS name or '#rrggbb'. */
  value: string;
  onChange: (value: string) => void;
  /** The color shown when the field is empty. */
  fallback: string;
};

/** A color as text, with the browser's color picker next to it. */
export function ColorField({ name, value, onChange, fallback, ...labelled }: ColorFieldProps) {
  const { t } = useTranslation();
  const rgb = resolveColor(value.trim() === '' ? fallback : value.trim());
  return (
    <LabeledField {...labelled}>
      {(control) => (
        <div className="flex gap-2">
          <input
            {...control}
            className={`${BOX} h-12`}
            name={name}
            type="text"
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
            placeholder={fallback}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
          />
          <input
            type="color"
            aria-label={t('web:pickColor')}
            title={t('web:pickColor')}
            className="h-12 w-14 shrink-0 cursor-pointer rounded-xl border border-field bg-card p-1.5 transition-colors hover:border-ink"
            // The picker accepts only #rrggbb; text that is not a valid color yet shows as white.
            value={rgb === undefined ? '#ffffff' : hex(rgb)}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        </div>
      )}
    </LabeledField>
  );
}

// The colors of both themes, whichever one the screen uses (tokens.css).
const THEMES = [
  { theme: 'light', card: '#ffffff', ink: '#18211d', line: '#dfe4e0' },
  { theme: 'dark', card: '#191f1c', ink: '#e9eeea', line: '#2e3833' },
] as const satisfies readonly { theme: Theme; card: string; ink: string; line: string }[];

/** A preview of a category in the light and the dark theme: its dot next to a name, and its chip. */
export function ColorPreview({ name, color }: { name: string; color: string }) {
  const { t } = useTranslation();
  const rgb = resolveColor(color);
  if (rgb === undefined) return null;
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-sm text-soft">{t('web:colorPreview')}</p>
      <div className="grid grid-cols-2 gap-2 forced-color-adjust-none">
        {THEMES.map(({ theme, card, ink, line }) => (
          <div
            key={theme}
            className="flex min-w-0 flex-col items-start gap-2.5 rounded-xl border px-3.5 py-3 text-dense"
            style={{ backgroundColor: card, color: ink, borderColor: line }}
          >
            <span className="flex max-w-full items-center gap-2.5">
              <span
                aria-hidden="true"
                className="size-3.5 shrink-0 rounded-full dot-edge"
                style={{ backgroundColor: hex(rgb) }}
              />
              <span className="min-w-0 wrap-anywhere">{name}</span>
            </span>
            <span
              className="max-w-full rounded-full wrap-anywhere px-2.5 py-0.5 text-sm font-medium"
              style={chipStyle(rgb, theme)}
            >
              {name}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}
