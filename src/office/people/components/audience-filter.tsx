import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { MESSAGE_FILTER_STATES, type MessageFilter } from '#contract/acts/messages.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import { nameInLanguage, textInLanguage } from '#contract/words.ts'
import { useDivisions } from '#features/accounts/resource.ts'
import { useSession } from '#features/session/store.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { DateTimeField } from '#office/frame/components/date-time-field.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { addDays, hasAnyRight, mondayOf } from '#office/frame/model.ts'

import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { ChoiceField } from '#ui/choice-field.tsx'
import { FieldGrid, Row, Stack, Text } from '#ui/layout.tsx'
import { toDateString } from '../people-model.ts'

type Props = { filter: MessageFilter; onChange: (filter: MessageFilter) => void }
type ListKey = 'seasonIds' | 'categoryIds' | 'roomIds' | 'sites' | 'employeeStatuses' | 'divisionIds'
type Option = { value: string; label: string }

type ChoiceProps = {
  name: ListKey
  label: string
  /** a filter from a link may have several values */
  chosen: readonly (number | string)[]
  options: readonly Option[]
  onChange: (value: string) => void
}

function FilterChoice({ name, label, chosen, options, onChange }: ChoiceProps) {
  const { t } = useTranslation('office-people')
  const value = chosen.join()
  const several = chosen.length > 1 ? [{ value, label: t('audience.several') }] : []
  return (
    <ChoiceField
      name={name}
      label={label}
      value={value || 'all'}
      options={[{ value: 'all', label: t('audience.all') }, ...several, ...options]}
      onChange={next => next !== value && onChange(next)}
    />
  )
}

/** First and last day of a lesson. */
const DAYS = ['date', 'until'] as const
/** Common spans of days. */
const spansOf = (today: string) => [
  { key: 'today', date: today, until: today },
  { key: 'week', date: today, until: addDays(mondayOf(today), 6) },
  { key: 'nextWeek', date: addDays(mondayOf(today), 7), until: addDays(mondayOf(today), 13) },
]

/** Conditions for the recipients of a message. All of them apply. */
export function AudienceFilter({ filter, onChange }: Props) {
  const { t } = useTranslation(['office-people', 'accounts'])
  const language = useLanguage()
  const today = toDateString(useToday())
  const mayPlan = useSession(state => hasAnyRight(state.session?.rights ?? [], ['programme']))
  const seasons = useCompleteList('listOfficeSeasons').data ?? []
  const rooms = useCompleteList('listRooms', mayPlan ? {} : null).data ?? []
  const categories = useResource('getUtilisation', {}).data?.category ?? []
  const divisions = useDivisions(state => state.data)
  useEffect(() => void useDivisions.load(), [])
  const set = (key: keyof MessageFilter, value: unknown) => {
    const { [key]: _, ...others } = filter
    onChange(value === undefined ? others : { ...others, [key]: value })
  }
  const states = filter.states ?? ['booked']
  const choice = (key: ListKey, label: string, options: readonly Option[], parse: (value: string) => unknown) => (
    <FilterChoice
      name={key}
      label={label}
      chosen={filter[key] ?? []}
      options={options}
      onChange={value => set(key, value === 'all' ? undefined : [parse(value)])}
    />
  )
  const sites = [...new Set(rooms.map(({ site }) => site))].filter(Boolean).toSorted()
  return (
    <Stack as="fieldset" bare gap="s">
      <legend className="visually-hidden">{t('message.kind.filter')}</legend>
      {filter.courseIds && <Text flush>{t('audience.courses', { count: filter.courseIds.length })}</Text>}
      <FieldGrid>
        {choice(
          'seasonIds',
          t('field.season'),
          seasons.map(season => ({ value: `${season.id}`, label: nameInLanguage(language, season) })),
          Number,
        )}
        {choice(
          'categoryIds',
          t('audience.category'),
          categories.map(({ key, name, name2 }) => ({ value: key, label: textInLanguage(language, name, name2) })),
          Number,
        )}
        {mayPlan &&
          choice(
            'sites',
            t('audience.site'),
            sites.map(site => ({ value: site, label: site })),
            String,
          )}
        {mayPlan &&
          choice(
            'roomIds',
            t('audience.room'),
            rooms.map(({ roomId, name, site }) => ({
              value: `${roomId}`,
              label: [name, site].filter(Boolean).join(', '),
            })),
            Number,
          )}
        {DAYS.map(key => (
          <DateTimeField
            key={key}
            kind="date"
            label={t(`audience.${key}`)}
            value={filter[key] ?? ''}
            onChange={day => set(key, day || undefined)}
          />
        ))}
        {choice(
          'employeeStatuses',
          t('field.status'),
          Object.values(EMPLOYEE_STATUS).map(value => ({
            value: `${value}`,
            label: t(`accounts:employeeStatus.${value}`),
          })),
          Number,
        )}
        {choice(
          'divisionIds',
          t('field.division'),
          divisions.map(({ id, name }) => ({ value: `${id}`, label: name })),
          Number,
        )}
      </FieldGrid>
      <Row as="fieldset" bare>
        <legend className="visually-hidden">{t('audience.date')}</legend>
        {spansOf(today).map(({ key, date, until }) => (
          <Button
            key={key}
            look="quiet"
            isPill
            aria-pressed={filter.date === date && filter.until === until}
            onClick={() => onChange({ ...filter, date, until })}
          >
            {t(`audience.span.${key}`)}
          </Button>
        ))}
      </Row>
      <Row>
        {MESSAGE_FILTER_STATES.map(state => (
          <CheckField
            key={state}
            label={t(`audience.state.${state}`)}
            checked={states.includes(state)}
            onChange={isOn => {
              const next = MESSAGE_FILTER_STATES.filter(one => (one === state ? isOn : states.includes(one)))
              set('states', next.length > 0 ? next : undefined)
            }}
          />
        ))}
      </Row>
    </Stack>
  )
}
