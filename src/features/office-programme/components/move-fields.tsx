import { useTranslation } from 'react-i18next'
import { nameIn } from '#contract/words.ts'
import { useList } from '#features/office/list-resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ChoiceField } from '#ui/choice-field.tsx'

type Props = {
  act: { toCourseId?: number }
  change(fields: { toCourseId: number }): void
  seasonId: number
  fromCourseId: number
  /** number of free places needed */
  places?: number
}

/**
 * Field for selecting the target course of a move. Offers the season's courses that have enough free places and nobody
 * waiting.
 */
export function MoveFields({ act, change, seasonId, fromCourseId, places: needed = 1 }: Props) {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const { data } = useList('listOfficeCourses', { seasonId })
  const free = (data ?? []).filter(
    ({ id, places, booked, waiting, cancelled }) =>
      id !== fromCourseId && !cancelled && booked + needed <= places && waiting === 0,
  )
  return (
    <ChoiceField
      name="toCourseId"
      label={t('move.to')}
      hint={t('move.hint')}
      required
      placeholder={t('field.choose')}
      value={act.toCourseId === undefined ? '' : String(act.toCourseId)}
      options={free.map(course => ({
        value: String(course.id),
        label: `${course.number} ${nameIn(language, course)} (${t('move.free', { count: course.places - course.booked })})`,
      }))}
      onChange={value => change({ toCourseId: Number(value) })}
    />
  )
}
