import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getUtilisation } from '#contract/office/people.ts'
import { sortWeekdays, textInLanguage } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useUrlParam } from '#office/frame/use-url-param.ts'
import { ChoiceField } from '#ui/choice-field.tsx'
import { Card, Table } from '#ui/layout.tsx'
import { seatOccupancyOf } from '../people-model.ts'
import classes from './utilisation-chart.module.css'

type Utilisation = ResponseOf<typeof getUtilisation>
const VIEWS = ['category', 'site', 'weekday', 'hour'] as const
type View = (typeof VIEWS)[number]

const BAR = 22
const STEP = 34
const WIDTH = 600

/** Bar chart of course utilization, with the same values in a table for screen readers. */
export function UtilisationChart({ data }: { data: Utilisation }) {
  const { t } = useTranslation('office-people')
  const language = useLanguage()
  const [chosen, setChosen] = useUrlParam('by')
  const view: View = VIEWS.find(one => one === chosen) ?? 'category'
  const days = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  const labelOf = (row: Utilisation[View][number]): string => {
    if ('name' in row) return textInLanguage(language, String(row.name), String(row.name2))
    if (view === 'weekday') return days.format(Date.UTC(2023, 0, 1 + Number(row.key)))
    if (view === 'hour') return t('utilisation.hour', { from: `${row.key}:00` })
    return row.key || t('utilisation.noSite')
  }
  const rows =
    view === 'weekday'
      ? sortWeekdays(data.weekday.map(({ key }) => Number(key))).flatMap(
          day => data.weekday.find(({ key }) => key === String(day)) ?? [],
        )
      : [...data[view]]
  return (
    <Card flush layout="stack" aria-labelledby="utilisation">
      <h2 id="utilisation">{t('utilisation.title')}</h2>
      <ChoiceField
        name="by"
        label={t('utilisation.by')}
        value={view}
        options={VIEWS.map(value => ({ value, label: t(`utilisation.view.${value}`) }))}
        onChange={setChosen}
      />
      {rows.length === 0 && <p>{t('utilisation.none')}</p>}
      <Table tabular className={classes.picture}>
        <caption className="visually-hidden">
          {t('utilisation.title')}: {t(`utilisation.view.${view}`)}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t(`utilisation.view.${view}`)}</th>
            <td aria-hidden />
            <th scope="col">{t('utilisation.percent')}</th>
            <th scope="col">{t('utilisation.booked')}</th>
            <th scope="col">{t('utilisation.waiting')}</th>
            <th scope="col">{t('utilisation.courses')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.key}>
              <th scope="row">{labelOf(row)}</th>
              <td aria-hidden className={classes.bar}>
                <svg viewBox={`0 0 ${WIDTH} ${STEP}`} preserveAspectRatio="none">
                  <title>{labelOf(row)}</title>
                  <rect fill="var(--hall-soft)" y={(STEP - BAR) / 2} width={WIDTH} height={BAR} rx={4} />
                  <rect
                    fill="var(--hall)"
                    y={(STEP - BAR) / 2}
                    width={WIDTH * seatOccupancyOf(row)}
                    height={BAR}
                    rx={4}
                  />
                </svg>
              </td>
              <td>{Math.round(seatOccupancyOf(row) * 100)} %</td>
              <td>{t('utilisation.of', { booked: row.booked, places: row.places })}</td>
              <td>{row.waiting}</td>
              <td>{row.courses}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}
