import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WebUser } from '#contract/endpoints/accounts.ts'
import type { Course } from '#contract/endpoints/courses.ts'
import { type Clash, futureLessonsOf, lastCancelDay } from '#contract/lessons.ts'
import { BILLING_TYPE } from '#contract/values.ts'
import {
  clashText,
  displayedPriceOf,
  formatDate,
  formatDeadline,
  formatMoney,
  formatPrice,
  formatTime,
  nameInLanguage,
} from '#contract/words.ts'
import { useIsRefundable } from '#features/courses/resource.ts'
import { branding } from '#lib/branding.ts'
import { weekdayOf } from '#lib/format.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useLocalTimeMs } from '#lib/use-now.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Card, CheckLabel, Row, Stack, Text } from '#ui/layout.tsx'

/** Selects the text about who pays, and its values. There is a separate text for an incomplete profile. */
function billingOf({ billingType, personnelNumber, ownerPersonnelNumber, street, zip, city }: WebUser) {
  const address = street && city ? `${street}, ${zip} ${city}` : ''
  if (billingType === BILLING_TYPE.Invoice && address) return { kind: 'invoice', address }
  if (billingType === BILLING_TYPE.PersonnelNumber && personnelNumber) return { kind: 'own', number: personnelNumber }
  if (billingType === BILLING_TYPE.ForeignPersonnelNumber && personnelNumber && ownerPersonnelNumber)
    return { kind: 'other', number: personnelNumber, owner: ownerPersonnelNumber }
  return { kind: 'profile' }
}

/** Shows who is billed for a booking according to the current profile. */
function BilledBy() {
  const { t } = useTranslation('own-bookings')
  // If the profile cannot be loaded, nothing is shown.
  const { data: person } = useResource('getWebUser', {})
  const { kind, ...values } = person ? billingOf(person) : { kind: 'profile' }
  return <p>{t(`step.billed.${kind}`, values)}</p>
}

type SummaryProps = { course: Course; lessons: ReturnType<typeof futureLessonsOf>; amount: string }

/** First lesson, number of lessons, and price. @param lessons lessons that have not started yet */
function BookingSummary({ course, lessons, amount }: SummaryProps) {
  const { t } = useTranslation(['own-bookings', 'courses'])
  const [first] = lessons
  const { price } = course
  return (
    <Stack as="dl" gap="s" my="m">
      {first && (
        <Row justify="between">
          <dt>{t('step.first')}</dt>
          <dd>
            {t(`courses:day.short.${weekdayOf(first)}`)} {formatDate(first)}, {formatTime(first)}
          </dd>
        </Row>
      )}
      <Row justify="between">
        <dt>{t('step.lessons')}</dt>
        <dd>
          {lessons.length === course.dates.length
            ? t('step.all', { count: course.dates.length })
            : t('step.left', { left: lessons.length, count: course.dates.length })}
        </dd>
      </Row>
      {price && price.energyFee > 0 && (
        <>
          <Row justify="between">
            <dt>{t(price.kind === 'external' ? 'step.feeExternal' : 'step.fee')}</dt>
            <dd>{formatMoney(price.fee)}</dd>
          </Row>
          <Row justify="between">
            <dt>{t('step.energyFee')}</dt>
            <dd>{formatMoney(price.energyFee)}</dd>
          </Row>
        </>
      )}
      <Row justify="between" variant="name" total>
        <dt>{t('step.total')}</dt>
        <dd>{amount}</dd>
      </Row>
    </Stack>
  )
}

type Props = {
  course: Course
  /** the user's own courses whose lessons overlap with this one's */
  clashes: readonly Clash[]
  /** true for a booking, false for a waiting-list entry */
  isDirect: boolean
  /** false before booking opens: the user confirms in advance, so that booking takes only one tap later */
  isOpen: boolean
  /** whether explicit consent to storing attendance is required, as for the first booking of a health course */
  isConsentNeeded: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Confirmation of a booking that has a price: lessons, amount, cancellation deadline, payer, and consent. */
export function BookingConfirmation({ course, clashes, isDirect, isOpen, isConsentNeeded, onConfirm, onClose }: Props) {
  const { t } = useTranslation(['own-bookings', 'courses', 'consents'])
  const [isConsenting, setIsConsenting] = useState(false)
  const [isConsentMissing, setIsConsentMissing] = useState(false)
  const consent = useRef<HTMLDivElement>(null)
  const language = useLanguage()
  const nowWallMs = useLocalTimeMs()
  const left = futureLessonsOf(course, nowWallMs)
  const { price } = course
  const { onceVerified } = displayedPriceOf(course)
  const isRefundable = useIsRefundable(course)
  const cancelUntil = lastCancelDay(course, nowWallMs)
  const isPaid = price !== null && price.amount > 0
  const amount = formatPrice(price?.amount ?? 0, key => t(`courses:price.${key}`))
  const confirm = () => {
    if (!isConsentNeeded || isConsenting) return onConfirm()
    setIsConsentMissing(true)
    consent.current?.querySelector('input')?.focus()
  }
  const action = !isOpen ? 'prepare' : isDirect ? 'book' : 'wait'
  return (
    <Dialog
      kind="sheet"
      title={t(isDirect ? 'step.title' : 'step.titleWait')}
      onClose={onClose}
      footer={
        <Stack gap="s" grow>
          <Button look="primary" isWide onClick={confirm}>
            {t(isPaid ? `step.${action}` : clashes.length > 0 ? `step.${action}Anyway` : `step.${action}Free`, {
              amount,
              time: formatTime(course.bookableFrom),
            })}
          </Button>
          <Button look="ghost" isWide onClick={onClose}>
            {t('confirm.no')}
          </Button>
        </Stack>
      }
    >
      <Text variant="heading" flush>
        {nameInLanguage(language, course)}
      </Text>
      {clashes.map(clash => (
        <Text key={clash.course.id} weight="bold" flush>
          {clashText(clash, (key, values) => t(`courses:clash.${key}`, values), language)}
        </Text>
      ))}
      <BookingSummary course={course} lessons={left} amount={amount} />
      {onceVerified !== null && (
        <p>{t('step.onceVerified', { amount: formatPrice(onceVerified, key => t(`courses:price.${key}`)) })}</p>
      )}
      {price?.freeWithAttendance && price.fee > 0 && <p>{t('step.freeWithAttendance')}</p>}
      <p>
        {!isDirect
          ? t('step.cancelWaiting')
          : cancelUntil
            ? t('step.cancelUntil', { date: formatDeadline(cancelUntil) })
            : t('step.notCancellable')}
      </p>
      {isPaid && <BilledBy />}
      {isPaid && isRefundable && <p>{t('step.refundable', { insurer: branding.healthInsurer })}</p>}
      {isConsentNeeded && (
        <Card as="div" ref={consent} gap="xs" layout="stack">
          <Text flush>{t('consents:attendance.why')}</Text>
          <CheckLabel align="start">
            <input
              type="checkbox"
              checked={isConsenting}
              onChange={event => setIsConsenting(event.currentTarget.checked)}
            />
            <span>{t('consents:attendance.text')}</span>
          </CheckLabel>
          <Text role="alert" tone="bad" flush>
            {isConsentMissing && !isConsenting && t('consents:attendance.needed')}
          </Text>
        </Card>
      )}
    </Dialog>
  )
}
