import { useId } from 'react';
import { useText } from '#web/lib/text.ts';
import { Button } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import type { ListRow } from './list-rows.ts';
import type { Look } from './several-draft.ts';
import { STARTER_SET } from './starter-set.ts';

type StarterSetProps = {
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
  onBack: () => void;
  onCheck: (rows: readonly ListRow[], looks: readonly Look[]) => void;
};

/** Usual activities of schools in their categories, to tick. */
export function StarterSet({ chosen, onChange, onBack, onCheck }: StarterSetProps) {
  const { t } = useText();
  const id = useId();
  const isChosen = (key: string) => chosen.includes(key);
  function choose(keys: readonly string[], isOn: boolean) {
    const others = chosen.filter((key) => !keys.includes(key));
    onChange(isOn ? [...others, ...keys] : others);
  }
  const everything = STARTER_SET.flatMap(({ activities }) => activities);
  const isWhole = everything.every(isChosen);

  function check() {
    const rows = STARTER_SET.flatMap(({ name, activities }) =>
      activities.filter(isChosen).map((key) => ({ name: t(key), category: t(name) })),
    );
    onCheck(
      rows.map((row, at) => ({ id: at, description: '', from: '', until: '', prompt: '', ...row })),
      STARTER_SET.map(({ name, color, kind }) => ({ name: t(name), color, kind })),
    );
  }

  return (
    <div className="flex flex-col gap-5 rounded-card border border-line bg-card p-5 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h3 className="text-xl font-semibold">{t('activities:starterTitle')}</h3>
        <Button kind="plain" onPress={() => choose(everything, !isWhole)}>
          {t(isWhole ? 'activities:starterNone' : 'activities:starterAll')}
        </Button>
      </div>
      <p className="text-soft">{t('activities:starterHint')}</p>
      <div className="grid grid-cols-1 gap-x-8 gap-y-5 sm:grid-cols-2 lg:grid-cols-3">
        {STARTER_SET.map(({ name, color, activities }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot stand in a flex column
          <div key={name} role="group" aria-labelledby={`${id}-${name}`} className="flex flex-col">
            <Checkbox isSelected={activities.every(isChosen)} onChange={(isOn) => choose(activities, isOn)}>
              <span id={`${id}-${name}`} className="inline-flex items-center gap-2 font-semibold">
                <CategoryDot color={color} />
                {t(name)}
              </span>
            </Checkbox>
            <div className="pl-6">
              {activities.map((key) => (
                <Checkbox key={key} isSelected={isChosen(key)} onChange={(isOn) => choose([key], isOn)}>
                  {t(key)}
                </Checkbox>
              ))}
            </div>
          </div>
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" isDisabled={chosen.length === 0} onPress={check}>
          {chosen.length === 0
            ? t('activities:starterCheckNone')
            : t('activities:starterCheck', { count: chosen.length })}
        </Button>
        <Button onPress={onBack}>{t('activities:starterBack')}</Button>
      </div>
    </div>
  );
}
