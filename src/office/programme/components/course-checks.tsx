import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ItemOf } from '#contract/endpoint.ts'
import { COURSE_CHECKS, type CourseCheck, type listSeasonChecks } from '#contract/office/planning.ts'
import { isOneOf } from '#contract/records.ts'
import { useResource } from '#lib/resource.ts'
import { formatNumber } from '#office/frame/model.ts'
import { useUrlParam } from '#office/frame/use-url-param.ts'
import { Button } from '#ui/button.tsx'
import { Row, Text } from '#ui/layout.tsx'
import type { Season } from '../resource.ts'

export type CheckedCourse = ItemOf<typeof listSeasonChecks>

/** Value of the filter that shows all courses with any finding. */
const ANY = 'any'

/**
 * Findings about the courses of a season, by course, and those that pass the filter `lacks` in the URL. A draft is checked
 * immediately, another season on request.
 */
export function useCourseChecks({ id, draft }: Pick<Season, 'id' | 'draft'>, mayChange: boolean) {
  const [lacks, setLacks] = useUrlParam('lacks')
  const [isRequested, setIsRequested] = useState(draft || lacks !== '')
  const isOn = mayChange && (isRequested || lacks !== '')
  const reading = useResource('listSeasonChecks', isOn ? { query: { seasonId: id } } : null)
  const items = reading.data?.items ?? null
  const byCourse = new Map((items ?? []).map(item => [item.courseId, item]))
  const passes = (courseId: number) => {
    if (lacks === '' || items === null) return true
    const kinds = byCourse.get(courseId)?.kinds ?? []
    return lacks === ANY ? kinds.length > 0 : kinds.some(kind => kind === lacks)
  }
  return { items, byCourse, lacks, setLacks, passes, isRequested: isOn, request: () => setIsRequested(true) }
}

export type CourseChecks = ReturnType<typeof useCourseChecks>

/** One button per kind of finding, with the number of courses that the list then shows. */
export function CourseCheckFilter({ checks }: { checks: CourseChecks }) {
  const { t } = useTranslation('office-programme')
  const { items, lacks, setLacks, isRequested, request } = checks
  if (!isRequested)
    return (
      <Button look="quiet" isPill onClick={request}>
        {t('checks.show')}
      </Button>
    )
  if (items === null) return null
  if (items.length === 0 && lacks === '')
    return (
      <Text role="status" tone="muted" flush>
        {t('checks.none')}
      </Text>
    )
  const counts = new Map<string, number>([[ANY, items.length]])
  for (const { kinds } of items) for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const shown = [ANY, ...COURSE_CHECKS].filter(kind => counts.has(kind) || kind === lacks)
  return (
    <Row as="fieldset" bare gap="s">
      <legend className="visually-hidden">{t('checks.label')}</legend>
      {shown.map(kind => {
        const isOn = lacks === kind
        return (
          <Button key={kind} look="quiet" isPill aria-pressed={isOn} onClick={() => setLacks(isOn ? '' : kind)}>
            {kind === ANY
              ? t('checks.title', { count: items.length })
              : `${isOneOf(COURSE_CHECKS, kind) ? t(`checks.${kind}`) : kind} ${formatNumber(counts.get(kind) ?? 0)}`}
          </Button>
        )
      })}
    </Row>
  )
}

/** Describes the findings about a course. */
export function useCheckWords() {
  const { t } = useTranslation('office-programme')
  const say = ({ lessons, before, clashes, other }: CheckedCourse, kind: CourseCheck) => {
    if (kind === 'fewerLessons') return `${t(`checks.${kind}`)}: ${t('checks.fewer', { lessons, before })}`
    if (kind === 'clash') return `${t(`checks.${kind}`)}: ${t('checks.clashes', { count: clashes, other })}`
    return t(`checks.${kind}`)
  }
  return (check: CheckedCourse | undefined) => (check?.kinds ?? []).map(kind => check && say(check, kind)).join(' · ')
}
