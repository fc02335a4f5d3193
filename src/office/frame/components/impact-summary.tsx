import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ActConsequences } from '#contract/office/office.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ActionLink, Box, Stack, Text } from '#ui/layout.tsx'
import { formatWallClockTime, impactCountsOf } from '../model.ts'

const ORDER = ['told', 'letters', 'promoted', 'booked', 'other', 'ended', 'call', 'clashes'] as const

const MOST_CLASHES = 20

/**
 * States the impact of an action in fixed wording and order: how many people are notified, move up from the waiting
 * list, or must be called.
 */
export function ImpactSummary({ consequences }: { consequences: ActConsequences }) {
  const { t } = useTranslation('office')
  const counts = impactCountsOf(consequences)
  const said = ORDER.filter(name => counts[name] > 0).map(name => t(`consequences.${name}`, { count: counts[name] }))
  const language = useLanguage()
  const { told, promoted, booked, ended, call, clashes, made } = consequences
  const lists = Object.entries({ told, promoted, booked, ended }).filter(([, people]) => people.length > 0)
  return (
    <Stack>
      <Text weight="semibold" flush>
        {said.length === 0 ? t('consequences.none') : `${said.join(', ')}.`}
      </Text>
      {call.length > 0 && (
        <Box as="ul" bullets>
          {call.map(({ id, name, phone }) => (
            <li key={`${id} ${name}`}>
              {name}: {phone ? <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a> : t('consequences.noPhone')}
            </li>
          ))}
        </Box>
      )}
      {clashes.length > 0 && (
        <Box as="ul" bullets>
          {clashes.slice(0, MOST_CLASHES).map(({ person, room, instructor, courseId, name = '', at }) => (
            <li key={`${courseId} ${at} ${person} ${room} ${instructor}`}>
              {[person ?? room ?? instructor, name, formatWallClockTime(at, language)].filter(Boolean).join(', ')}
            </li>
          ))}
          {clashes.length > MOST_CLASHES && (
            <li>{t('consequences.clashesMore', { count: clashes.length - MOST_CLASHES })}</li>
          )}
        </Box>
      )}
      {made && <ActionResults made={made} />}
      {lists.length > 0 && (
        <details>
          <ActionLink as="summary">{t('consequences.who')}</ActionLink>
          <Stack as="dl" gap="s">
            {lists.map(([list, people]) => (
              <div key={list}>
                <dt>{t(`consequences.list.${list}`)}</dt>
                <dd>{people.map(({ name }) => name).join(', ')}</dd>
              </div>
            ))}
          </Stack>
        </details>
      )}
    </Stack>
  )
}

type Props = { made: NonNullable<ActConsequences['made']> }

/**
 * Lists the results of an action: the lessons it creates, the holidays it skips, and the courses that must be reviewed
 * because they have fewer lessons, none, or lessons outside their rhythm.
 */
function ActionResults({ made }: Props) {
  const { courses, lessons, holidays, fewerLessons, withoutLessons, review = [] } = made
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
      {review.length > 0 && (
        <List title={t('made.review', { count: review.length })}>
          {review.map(({ number, name, from, to, why }) => {
            const days = { from: formatWallClockTime(from, language), to: formatWallClockTime(to, language), why }
            return <li key={`${number} ${from}`}>{`${number} ${name}: ${t('made.reviewed', days)}`}</li>
          })}
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
