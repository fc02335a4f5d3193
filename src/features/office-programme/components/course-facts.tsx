import { useTranslation } from 'react-i18next'
import { COURSE_FORM } from '#contract/office-programme.ts'
import { Button } from '#ui/button.tsx'
import { Card, Stack, Text } from '#ui/layout.tsx'
import type { OfficeCourse } from '../resource.ts'
import { type FieldOptions, labelledValuesOf } from './act-fields.tsx'
import classes from './course-facts.module.css'

type Props = { read: OfficeCourse; options: FieldOptions; onRemove?: () => void }

/** All fields of a course in groups, except empty ones. */
export function CourseFacts({ read: { columns }, options, onRemove }: Props) {
  const { t } = useTranslation('office-programme')
  return (
    <div className={classes.facts}>
      {COURSE_FORM.map(({ group, fields }) => {
        const facts = labelledValuesOf(t, fields, columns, options).filter(({ value }) => value !== '')
        return (
          facts.length > 0 && (
            <Card key={group}>
              <Text as="h2" variant="heading">
                {t(`group.${group}`)}
              </Text>
              <Stack as="dl" gap="s" pairs>
                {facts.map(({ name, label, value }) => (
                  <div key={name}>
                    <dt>{label}</dt>
                    <Text as="dd" preLine>
                      {value}
                    </Text>
                  </div>
                ))}
              </Stack>
            </Card>
          )
        )
      })}
      {onRemove && (
        <p>
          <Button look="text" onClick={onRemove}>
            {t('act.remove-course')}
          </Button>
        </p>
      )}
    </div>
  )
}
