import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Consequences } from '#contract/office.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ActionLink, Text } from '#ui/layout.tsx'
import { formatWallClockTime } from '../model.ts'

type Props = { made: NonNullable<Consequences['made']> }

/**
 * Lists the results of an action: the lessons it creates, the holidays it skips, and the courses that must be reviewed
 * because they have fewer lessons or none.
 */
export function ActionResults({ made: { courses, lessons, holidays, fewerLessons, withoutLessons } }: Props) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const dayOf = (date: string) => date.split('-').reverse().join('.')
  return (
    <>
      {lessons.length > 0 && (
        <List title={t('made.lessons', { count: lessons.length })}>
          {lessons.map(at => (
            <li key={at}>{formatWallClockTime(at, language)}</li>
          ))}
        </List>
      )}
      {lessons.length === 0 && courses > 0 && <Text flush>{t('made.courses', { count: courses })}</Text>}
      {holidays.length > 0 && (
        <Text flush>
          {t('made.holidays', { days: holidays.map(({ date, name }) => `${dayOf(date)} ${name}`).join(', ') })}
        </Text>
      )}
      {withoutLessons.length > 0 && (
        <List title={t('made.withoutLessons', { count: withoutLessons.length })}>
          {withoutLessons.map(({ number, name }) => (
            <li key={number}>{`${number} ${name}`}</li>
          ))}
        </List>
      )}
      {fewerLessons.length > 0 && (
        <List title={t('made.fewerLessons', { count: fewerLessons.length })}>
          {fewerLessons.map(({ number, name, before, now }) => (
            <li key={number}>{`${number} ${name}: ${t('made.fewer', { before, now })}`}</li>
          ))}
        </List>
      )}
    </>
  )
}

function List({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details>
      <ActionLink as="summary">{title}</ActionLink>
      <ul>{children}</ul>
    </details>
  )
}
