import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { formatMoney, nameInLanguage } from '#contract/words.ts'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { formatAttendance } from '#features/courses/attendance-model.ts'
import { WaiverProgress } from '#features/courses/components/waiver-progress.tsx'
import { feeWaiverStateOf } from '#features/courses/fee-waiver-model.ts'
import { useIsRefundable } from '#features/courses/resource.ts'
import { branding } from '#lib/branding.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Card, Notice, Row, Stack, Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { type CourseCost, useMayAttendFree } from '../resource.ts'

/** Reasons for putting an amount on hold that the user cannot resolve by editing the profile. */
const NOT_IN_PROFILE = ['consent', 'undecided', 'iban']

const NOT_CERTIFIED = { centralTestInstitute: '' }

/**
 * The costs of one course: the individual items, their sum, and, if the amount is still open, why and what the user can
 * do about it.
 */
export function CourseCosts({ cost }: { cost: CourseCost }) {
  const { t } = useTranslation('costs')
  const language = useLanguage()
  const course = useBookedCourses(state => state.data.find(({ id }) => id === cost.courseId))
  const mayAttendFree = useMayAttendFree()
  const isWaivable = course?.price?.freeWithAttendance ?? mayAttendFree
  const isRefundable = useIsRefundable(course ?? NOT_CERTIFIED)
  const { courseId, lines, sum, state, cause, help } = cost
  const attended = formatAttendance(course?.attendance ?? null, useTranslation('courses').t)
  const name = nameInLanguage(language, cost)
  return (
    <Card as="article" gap="s" layout="stack">
      <Text as="h3" variant="name">
        {courseId === null ? (
          t('noCourse')
        ) : (
          <Link className={styles({ base: 'tapTarget' })} href={`/course-details/${courseId}`}>
            {name}
          </Link>
        )}
      </Text>
      <Stack as="ul" gap="xs">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are append-only and have no id on the wire
          <Row as="li" key={index} justify="between">
            <Text as="span" grow>
              {line.text}
            </Text>
            <Text as="span" tabular>
              {formatMoney(line.amount)}
            </Text>
          </Row>
        ))}
        <Row as="li" justify="between" weight="bold">
          <span>{t(state === 'open' ? 'sumOpen' : 'sum')}</span>
          <Text as="span" tabular>
            {formatMoney(sum)}
          </Text>
        </Row>
      </Stack>
      {state === 'open' && course && feeWaiverStateOf(course) && (
        <>
          {attended && (
            <Text size="s" flush>
              {attended}
            </Text>
          )}
          <WaiverProgress course={course} />
        </>
      )}
      <Text size="s" flush>
        <Text as="b" tone="ink">
          {t(`state.${state}`)}
        </Text>{' '}
        {t(state === 'open' && !isWaivable ? 'stateText.openAgreed' : `stateText.${state}`)}
      </Text>
      {course && isRefundable && sum > 0 && (
        <Text size="s" flush>
          {t('refundable', { insurer: branding.healthInsurer })} <Link href="/messages">{t('toMessages')}</Link>
        </Text>
      )}
      {help && (
        <Notice fill="sun" flush>
          {help} {!NOT_IN_PROFILE.includes(cause) && <Link href="/edit">{t('toProfile')}</Link>}
        </Notice>
      )}
    </Card>
  )
}
