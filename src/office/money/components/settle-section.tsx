import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { MAX_SETTLED_COURSES } from '#contract/acts/money.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getOfficeMoney } from '#contract/office/money.ts'
import { formatMoney, nameInLanguage } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { startAct } from '#office/frame/act-store.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { CompactTable } from '#office/frame/components/compact-table.tsx'
import { ReadTable } from '#office/frame/components/read-table.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { formatDateTime } from '#office/people/people-model.ts'
import { Button } from '#ui/button.tsx'
import { CheckLabel } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import classes from './money.module.css'
import { settle } from './money-acts.tsx'
import { MoneySection } from './money-section.tsx'

type Money = ResponseOf<typeof getOfficeMoney>
type Course = Money['toSettle'][number]

const isReady = ({ openLessons, isListOpen }: Course) => openLessons === 0 && !isListOpen

/** Ended courses, which can be settled in a single action. Those without an obstacle are preselected. */
export function CoursesToSettleSection({ courses }: { courses: Money['toSettle'] }) {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  // The courses whose selection the user has changed, and whether each is now selected.
  const [changed, setChanged] = useState<ReadonlyMap<number, boolean>>(new Map())
  if (courses.length === 0) return null
  const isChosen = (course: Course) => changed.get(course.courseId) ?? isReady(course)
  const chosen = courses.filter(isChosen).slice(0, MAX_SETTLED_COURSES)
  const obstaclesOf = ({ openLessons, isListOpen }: Course) =>
    [openLessons > 0 && t('settle.openLessons', { count: openLessons }), isListOpen && t('settle.listOpen')]
      .filter(Boolean)
      .join(' · ')
  const obstacle = (course: Course) =>
    !isReady(course) && (
      <Link className={styles({ tone: 'todo' })} href={`/office/money/courses/${course.courseId}`}>
        {obstaclesOf(course)}
      </Link>
    )
  return (
    <MoneySection
      title={t('settle.title', { count: courses.length })}
      actions={
        <Button
          look="primary"
          isPill
          aria-disabled={chosen.length === 0}
          onClick={() => chosen.length > 0 && startAct(settle(chosen))}
        >
          {t('settle.act', { count: chosen.length })}
        </Button>
      }
    >
      <CompactTable
        caption={t('settle.title', { count: courses.length })}
        columns={[
          { label: t('field.course') },
          { label: t('field.people'), isNumber: true },
          { label: t('settle.obstacle'), isWideOnly: true },
        ]}
        rows={courses.map(course => ({
          key: course.courseId,
          cells: [
            <CheckLabel as="span" key="name">
              <input
                type="checkbox"
                aria-label={t('settle.choose', { name: `${course.number} ${nameInLanguage(language, course)}` })}
                checked={isChosen(course)}
                onChange={event =>
                  setChanged(before => new Map(before).set(course.courseId, event.currentTarget.checked))
                }
              />
              <span>
                <Link href={`/office/money/courses/${course.courseId}`}>
                  {course.number} {nameInLanguage(language, course)}
                </Link>
                <span className={classes.narrow}>{obstacle(course)}</span>
              </span>
            </CheckLabel>,
            course.people,
            obstacle(course),
          ],
        }))}
      />
    </MoneySection>
  )
}

/** Settled courses, each with a link to its settlement, certificates and corrections. */
export function SettledCoursesSection({ seasonId }: { seasonId: string }) {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  const reading = useCompleteList('listSettlements', seasonId === '' ? {} : { seasonId })
  return (
    <MoneySection title={t('settled.title')}>
      <ReadTable
        caption={t('settled.title')}
        name="settled"
        idOf={({ id }) => id}
        empty={t('settled.none')}
        reading={{ ...reading, data: reading.data?.toReversed() ?? null }}
        columns={[
          {
            key: 'course',
            label: t('field.course'),
            isName: true,
            value: course => `${course.number} ${nameInLanguage(language, course)}`,
            show: course => (
              <Link href={`/office/money/courses/${course.courseId}`}>
                {course.number} {nameInLanguage(language, course)}
              </Link>
            ),
          },
          {
            key: 'at',
            label: t('settled.at'),
            value: ({ settledAt }) => settledAt,
            show: ({ settledAt }) => formatDateTime(settledAt),
          },
          { key: 'people', label: t('field.people'), value: ({ people }) => people },
          {
            key: 'amount',
            label: t('amount'),
            value: ({ amount }) => amount,
            show: ({ amount }) => formatMoney(amount),
          },
        ]}
      />
    </MoneySection>
  )
}

/**
 * Courses whose attendance, sick notes, shift certificates or lessons have changed since they were settled. Settling
 * such a course again charges or refunds only the difference.
 */
export function OutdatedSettlementsSection({ courses }: { courses: Money['outdated'] }) {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  if (courses.length === 0) return null
  const chosen = courses.slice(0, MAX_SETTLED_COURSES)
  return (
    <MoneySection
      title={t('outdated.title', { count: courses.length })}
      lead={t('outdated.lead')}
      actions={
        <ActButton look="primary" isPill begin={() => settle(chosen)}>
          {t('outdated.act', { count: chosen.length })}
        </ActButton>
      }
    >
      <CompactTable
        caption={t('outdated.title', { count: courses.length })}
        columns={[{ label: t('field.course') }]}
        rows={courses.map(course => ({
          key: course.courseId,
          cells: [
            <Link key="name" href={`/office/money/courses/${course.courseId}`}>
              {course.number} {nameInLanguage(language, course)}
            </Link>,
          ],
        }))}
      />
    </MoneySection>
  )
}

/**
 * Settled courses with participants for whom no lesson is included in the settlement. They are charged nothing until
 * staff have decided whether their attendance was regular.
 */
export function UndecidedAttendanceSection({ courses }: { courses: Money['undecided'] }) {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  if (courses.length === 0) return null
  return (
    <MoneySection title={t('undecided.title')} lead={t('undecided.lead')}>
      <CompactTable
        caption={t('undecided.title')}
        columns={[{ label: t('field.course') }, { label: t('field.people'), isNumber: true }]}
        rows={courses.map(course => ({
          key: course.courseId,
          cells: [
            <Link key="name" href={`/office/money/courses/${course.courseId}`}>
              {course.number} {nameInLanguage(language, course)}
            </Link>,
            course.people,
          ],
        }))}
      />
    </MoneySection>
  )
}
