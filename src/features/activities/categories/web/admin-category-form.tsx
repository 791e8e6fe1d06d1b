import { useRef, useState } from 'react';
import {
  TranslationFields,
  translationValues,
} from '#features/schools/content-translations/web/admin-translation-fields.tsx';
import type { PublicSchool } from '#features/schools/contract.ts';
import { useForm } from '#web/forms/use-form.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { looksAlike } from '#web/ui/admin/color-distance.ts';
import { ColorField, ColorPreview } from '#web/ui/admin/color-field.tsx';
import type { EditableListForm } from '#web/ui/admin/editable-list.tsx';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import { CategoryDot, resolveColor } from '#web/ui/category.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { notify } from '#web/ui/toasts.ts';
import {
  type Category,
  CategoryInput,
  DEFAULT_COLOR,
  KINDS,
  type Kind,
  kindFromName,
  LIMITS,
  messages,
  TRANSLATED,
} from '../contract.ts';
import { useCategories, useSaveCategory } from './admin-api.ts';

type CategoryFormProps = EditableListForm<Category> & { school: PublicSchool };

/** The form for a category: name, description, grouping, and a preview of its color in both themes. */
export function CategoryForm({ school, opened, onClose, onDelete, onReload }: CategoryFormProps) {
  const { t } = useTranslation();
  const save = useSaveCategory();
  const category = opened.kind === 'edit' ? opened.row : undefined;
  // The kind of a new category follows its name until the user selects one (contract: kindFromName).
  const isAnother = useRef(false);
  const nameField = useRef<HTMLInputElement>(null);
  const [isKindChosen, setIsKindChosen] = useState(category !== undefined);
  const form = useForm({
    schema: CategoryInput,
    initial: valuesOf(category, school.id),
    draft: `category ${category?.id ?? `at ${school.id}`}`,
    check: ({ color }) =>
      color.trim() === '' || resolveColor(color.trim()) !== undefined ? {} : { color: messages.color },
    send: async (body) => {
      const { message } = await save.mutateAsync({ category, body });
      notify.success(message);
      if (!isAnother.current) return onClose();
      form.clear(valuesOf(undefined, school.id));
      setIsKindChosen(false);
      nameField.current?.focus();
    },
  });
  const kind = form.field('kind');
  const name = form.field('name');
  const color = form.values.color.trim() || DEFAULT_COLOR;
  return (
    <PanelForm
      form={form}
      saveText={t(category === undefined ? 'categories:create' : 'web:save')}
      onCancel={onClose}
      {...(category === undefined
        ? {
            another: {
              text: t('categories:createAnother'),
              onChosen: (isChosen) => {
                isAnother.current = isChosen;
              },
            },
          }
        : {
            deleteText: t('categories:deleteTitle'),
            onDelete: () => onDelete(category),
            onReload: () => void onReload(category),
          })}
    >
      <TextField
        {...name}
        ref={nameField}
        onChange={(value) => {
          name.onChange(value);
          if (!isKindChosen) form.set('kind', kindFromName(value));
        }}
        label={t('categories:name')}
        maxLength={LIMITS.name}
        autoComplete="off"
        isRequired
      />
      <TextArea {...form.field('description')} label={t('categories:description')} max={LIMITS.description} />
      <TranslationFields
        {...form.field('translations')}
        texts={[
          { name: 'name', label: t('categories:name'), max: LIMITS.name },
          {
            name: 'description',
            label: t('categories:description'),
            max: LIMITS.description,
            isLong: true,
          },
        ]}
      />
      <Select
        {...kind}
        label={t('categories:kindField')}
        hint={t(HINTS[form.values.kind])}
        onChange={(value) => {
          setIsKindChosen(true);
          kind.onChange(KINDS.find((one) => one === value) ?? 'other');
        }}
        choices={KINDS.map((one) => ({ value: one, text: t(`categories:${one}`) }))}
      />
      <ColorField
        {...form.field('color')}
        label={t('categories:colorField')}
        hint={t('categories:colorHint')}
        fallback={DEFAULT_COLOR}
      />
      <ColorPreview name={form.values.name.trim() || t('categories:previewName')} color={color} />
      <AlikeNotice schoolId={school.id} ownId={category?.id} color={color} />
    </PanelForm>
  );
}

function valuesOf(category: Category | undefined, schoolId: number) {
  return {
    schoolId,
    name: category?.name ?? '',
    description: category?.description ?? '',
    color: category?.color ?? DEFAULT_COLOR,
    kind: category?.kind ?? kindFromName(''),
    translations: translationValues(TRANSLATED, category?.translations),
  };
}

const HINTS = {
  event: 'categories:eventHint',
  classroom: 'categories:classroomHint',
  other: 'categories:otherHint',
} as const satisfies Record<Kind, MessageKey>;

type AlikeNoticeProps = { schoolId: number; ownId: number | undefined; color: string };

/** Warns about another category of the school with a similar color. Only a notice, because that can be intended. */
function AlikeNotice({ schoolId, ownId, color }: AlikeNoticeProps) {
  const { t } = useTranslation();
  const categories = useCategories(schoolId);
  const wanted = resolveColor(color);
  const alike = (categories.data ?? []).filter((other) => {
    const theirs = resolveColor(other.color);
    return other.id !== ownId && wanted !== undefined && theirs !== undefined && looksAlike(wanted, theirs);
  });
  return (
    <div role="status">
      {alike.length > 0 && (
        <Notice>
          <p className="font-medium">{t('categories:alike')}</p>
          <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
            {alike.map((other) => (
              <li key={other.id} className="flex items-center gap-2">
                <CategoryDot color={other.color} />
                {other.name}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}
