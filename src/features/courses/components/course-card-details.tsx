import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { CARD_FIELDS } from '#contract/tables/course.ts'
import { clashText, formatDate, plainText, priceLines } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { Box, Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { formatLessonChange } from '../change-model.ts'
import { feeWaiverStateOf } from '../fee-waiver-model.ts'
import { type CourseCardData, isCourseOver, labelledTexts, localizedTextsOf } from '../model.ts'
import { useClashes, useCourseTexts } from '../resource.ts'
import classes from './course-card.module.css'
import type { CourseCardMode } from './course-status.tsx'

type Props = { course: CourseCardData; mode: CourseCardMode; isLoggedIn: boolean }

/** Expanded part of a course card: all details that the collapsed card omits or abbreviates. */
export function CourseCardDetails({ course, mode, isLoggedIn }: Props) {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const { teaser, category, season } = localizedTextsOf(course, language)
  const texts = useCourseTexts(state => state.data.get(course.id))
  const clashes = useClashes(course)
  const isPast = isCourseOver(course, useToday())
  const { amount, parts, external, attendance, onceVerified } = priceLines(course, (key, values) =>
    t(`price.${key}`, values),
  )
  const lessons = (course.dates ?? texts?.dates)?.length ?? 0
  const period = t('card.period', { from: formatDate(course.start), to: formatDate(course.end) })
  const isBookable = mode !== 'instructor' && isLoggedIn && course.bookable && course.seasonBookable
  const price = [
    amount,
    external && external !== amount && t('price.external', { price: external }),
    parts,
    feeWaiverStateOf(course) === null && attendance,
    onceVerified,
  ]
  const lines: [label: string, text: string][] = [
    [t('details.period'), lessons > 0 ? `${period} · ${t('details.dates', { count: lessons })}` : period],
    ...(mode === 'instructor' ? [] : [[t('price.label'), price.filter(Boolean).join(' · ')] as [string, string]]),
    [t('details.season'), season],
    [t('details.category'), category],
    ...labelledTexts(course, CARD_FIELDS, language),
  ]
  const notes = [
    ...clashes.map(clash => clashText(clash, (key, values) => t(`clash.${key}`, values), language)),
    ...(course.changes ?? texts?.changes ?? []).map(change => formatLessonChange(change, t, language)),
  ]
  return (
    <div className={classes.unfolded}>
      <Text flush>{plainText(teaser)}</Text>
      {notes.length > 0 && (
        <Box as="ul" weight="semibold">
          {notes.map(note => (
            <li key={note}>{note}</li>
          ))}
        </Box>
      )}
      <dl>
        {lines
          .filter(([, text]) => text !== '')
          .map(([label, text]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
      </dl>
      {!course.cancelled && !isPast && (
        <Text flush>{t(course.confirmed ? 'card.confirmed' : 'card.notConfirmed')}</Text>
      )}
      <Link href={`/course-details/${course.id}`} className={styles({ base: 'actionLink' })}>
        {t(isBookable ? 'card.detailAndBook' : 'card.details')} <span aria-hidden>›</span>
        <Text as="small" size="s">
          {t('card.number', { number: course.number })}
        </Text>
      </Link>
    </div>
  )
}
