import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import { COURSE_FORM_GROUPS, type listCourseTemplates } from '#contract/office/programme.ts'
import { isTemplateField } from '#contract/tables/course-template.ts'
import { type ActDraft, type ActRequest, requestsOn } from '#office/frame/act-store.ts'
import { fetchRow } from '#office/frame/list-resource.ts'
import { Text } from '#ui/layout.tsx'
import { TextField } from '#ui/text-field.tsx'
import { filledFieldsOf } from '../model.ts'
import { ActFields, labelFieldValues, type SelectOptionsByKind } from './act-fields.tsx'

export type CourseTemplate = ResponseOf<typeof listCourseTemplates>['items'][number]

const t = i18next.getFixedT(null, 'office-programme')

/** The groups of the course form with the fields that a template may have; none of them is required. */
const GROUPS = COURSE_FORM_GROUPS.map(({ group, fields }) => ({
  group,
  fields: fields.filter(({ name }) => isTemplateField(name)).map(({ isRequired, ...field }) => field),
}))
const FIELDS = GROUPS.flatMap(({ fields }) => fields)

/** Course fields that a template may have. @param columns columns of a course */
export const templateFieldsOf = (columns: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  filledFieldsOf(Object.fromEntries(Object.entries(columns).filter(([name]) => isTemplateField(name))))

type FieldsProps = {
  act: Partial<ActDraft<'save-template'>>
  change(fields: Partial<ActDraft<'save-template'>>): void
  options: SelectOptionsByKind
}

function TemplateFields({ act, change, options }: FieldsProps) {
  const { t } = useTranslation('office-programme')
  const write = (fields: Record<string, unknown>) =>
    change(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value === '' ? undefined : value])))
  return (
    <>
      <Text size="s" flush>
        {t('template.hint')}
      </Text>
      <TextField
        name="templateName"
        label={t('template.name')}
        required
        maxLength={200}
        value={act.templateName ?? ''}
        onChange={templateName => change({ templateName })}
      />
      {GROUPS.map(({ group, fields }, index) => (
        <details key={group} open={index < 3}>
          <summary>
            <Text as="span" variant="heading" flush>
              {t(`group.${group}`)}
            </Text>
          </summary>
          <ActFields fields={fields} act={act} change={write} options={options} />
        </details>
      ))}
    </>
  )
}

/**
 * Creates or changes a course template.
 * @param fields values of a new template, such as those of a course
 */
export function saveTemplate(
  options: SelectOptionsByKind,
  template?: CourseTemplate,
  fields: Readonly<Record<string, unknown>> = template?.fields ?? {},
): ActRequest<'save-template'> {
  const { templateId, version, templateName } = template ?? {}
  return {
    act: {
      kind: 'save-template',
      ...(templateId !== undefined && version !== undefined && { templateId, version, templateName }),
      ...fields,
    },
    title: t(template ? 'act.change-template' : 'act.new-template'),
    ...(templateName !== undefined && { about: templateName }),
    isWide: true,
    missing: act => (act.templateName?.trim() ? [] : [t('template.name')]),
    form: form => <TemplateFields {...form} options={options} />,
    ...(template && {
      facts: labelFieldValues(FIELDS, template.fields, options),
      again: async () =>
        saveTemplate(options, await fetchRow('listCourseTemplates', one => one.templateId === templateId)),
    }),
  }
}

const requestOnTemplate = requestsOn(
  (template: CourseTemplate) => labelFieldValues(FIELDS, template.fields),
  ({ templateId }) => fetchRow('listCourseTemplates', template => template.templateId === templateId),
)

export const removeTemplate = (read: CourseTemplate) =>
  requestOnTemplate<'remove'>(read, ({ templateId, version, templateName }) => ({
    act: { kind: 'remove', what: 'template', id: templateId, version },
    title: t('act.remove-template'),
    about: templateName,
  }))
