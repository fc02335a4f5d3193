import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'wouter'
import type { BookingOrder } from '#contract/endpoints/booking-order.ts'
import { nameInLanguage } from '#contract/words.ts'
import { ApiError } from '#lib/api-error.ts'
import { useScreenResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { IconAlertCircle, IconCircleCheck } from '#ui/icons.ts'
import { Card, Stack, Table, Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#ui/state-panel.tsx'
import { formatInstant, formatSecond, verifyProof } from './booking-order-model.ts'
import { findBookingOrder } from './booking-order-resource.ts'

const subscribe = (onChange: () => void) => {
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}
/** The fragment never leaves the device, so the server never sees whose proof is verified. */
const readFragment = () => window.location.hash.slice(1)

/** The published order of a season's booking requests, and the proof contained in the URL fragment. */
export function BookingOrderScreen() {
  const { t } = useTranslation(['booking-order', 'shell'])
  const language = useLanguage()
  const seasonId = Number(useParams<{ id: string }>().id)
  const { data: order, error, reload } = useScreenResource(`order ${seasonId}`, () => findBookingOrder(seasonId))
  const fragment = useSyncExternalStore(subscribe, readFragment)
  const content = () => {
    if (error instanceof ApiError && error.status === 404)
      return <EmptyState title={t('unknown.title')} text={t('unknown.text')} />
    if (error && !order) return <ErrorState title={t('failed.title')} text={t('failed.text')} onRetry={reload} />
    if (!order) return <Skeleton rows={3} height={150} />
    return (
      <Stack gap="l">
        {fragment !== '' && <Proof order={order} fragment={fragment} />}
        <Text width="narrow" flush>
          {t('rule')}
        </Text>
        <CountedSeconds seconds={order.seconds} />
        <OrderedCourses order={order} />
      </Stack>
    )
  }
  return (
    <>
      <ScreenHeader
        title={order ? t('title', { season: nameInLanguage(language, order) }) : t('shell:title.booking-order')}
        lead={t('lead')}
      />
      {content()}
    </>
  )
}

/** Verifies the proof of one request on the device. */
function Proof({ order, fragment }: { order: BookingOrder; fragment: string }) {
  const { t } = useTranslation('booking-order')
  const language = useLanguage()
  const { data, error } = useScreenResource(`${order.digest} ${fragment}`, () => verifyProof(fragment, order))
  if (!data && !error) return <Skeleton rows={1} height={120} />
  const verdict = data?.verdict ?? 'different'
  const Icon = verdict === 'proven' ? IconCircleCheck : IconAlertCircle
  const request = data?.verdict === 'proven' ? data.request : null
  const course = order.courses.find(({ courseId }) => courseId === request?.courseId)
  return (
    <Card role="status">
      <Text as="h2" variant="heading">
        <Icon /> {t(`proof.${verdict}.title`)}
      </Text>
      <Text flush>
        {t(`proof.${verdict}.text`, {
          ...(course && { name: nameInLanguage(language, course), requests: course.requests, places: course.places }),
          ...(request && { number: request.number, time: formatInstant(request.askedAt, language) }),
        })}
      </Text>
    </Card>
  )
}

function CountedSeconds({ seconds }: Pick<BookingOrder, 'seconds'>) {
  const { t } = useTranslation('booking-order')
  if (seconds.length === 0) return null
  return (
    <Card aria-labelledby="seconds">
      <Text as="h2" id="seconds" variant="heading">
        {t('seconds.title')}
      </Text>
      <Table>
        <thead>
          <tr>
            <th scope="col">{t('seconds.second')}</th>
            <th scope="col">{t('requests')}</th>
            <th scope="col">{t('seconds.refused')}</th>
          </tr>
        </thead>
        <tbody>
          {seconds.map(({ second, requests, refused }) => (
            <tr key={second}>
              <th scope="row">{formatSecond(second)}</th>
              <td>{requests}</td>
              <td>{refused}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}

function OrderedCourses({ order }: { order: BookingOrder }) {
  const { t } = useTranslation('booking-order')
  const language = useLanguage()
  return (
    <Card aria-labelledby="courses">
      <Text as="h2" id="courses" variant="heading">
        {t('courses.title')}
      </Text>
      <Text>{t('courses.lead', { time: formatInstant(order.publishedAt, language) })}</Text>
      <Text size="s" grow>
        <code>{order.digest}</code>
      </Text>
      <Text as="a" href={`/api/booking-order/${order.seasonId}/hashes`} download={`order-${order.seasonId}.txt`}>
        {t('courses.download')}
      </Text>
      <ul>
        {order.courses.map(course => (
          <li key={course.courseId}>
            <Text as="h3" variant="name">
              {course.number} {nameInLanguage(language, course)}
            </Text>
            <Text size="s" flush>
              {t('courses.count', { requests: course.requests, places: course.places })}
            </Text>
            <Text size="s" grow>
              <code>{course.root}</code>
            </Text>
          </li>
        ))}
      </ul>
    </Card>
  )
}
