import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { BookingOfPerson } from '#contract/office/people.ts'
import { BOOKING_STATUS, MANUAL_ENTRY_KINDS } from '#contract/values.ts'
import { formatMoney, nameInLanguage } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { type ActDraft, type InitialActDraft, startAct } from '#office/frame/act-store.ts'
import { AmountField } from '#office/frame/components/amount-field.tsx'
import { CompactTable } from '#office/frame/components/compact-table.tsx'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { hasAnyRight } from '#office/frame/model.ts'
import { Button } from '#ui/button.tsx'
import { ChoiceField } from '#ui/choice-field.tsx'
import { Card, FieldGrid, Row, Stack, Text } from '#ui/layout.tsx'
import { formatDay } from '../people-model.ts'
import type { OfficePerson } from './person-acts.tsx'

/** A person's ledger entries with their balance, and proofs; `null` without the `billing` permission. */
export function usePersonLedger(id: number) {
  const mayBill = useSession(state => hasAnyRight(state.session?.rights ?? [], ['billing']))
  const reading = useCompleteList('listLedger', mayBill ? { person: String(id) } : null)
  const proofs = useCompleteList('listOfficeProofs', mayBill ? { person: String(id) } : null)
  const cents = reading.data?.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
  return mayBill ? { reading, proofs: proofs.data ?? [], balance: cents === undefined ? null : cents / 100 } : null
}

type Props = {
  person: Pick<Required<OfficePerson>, 'id' | 'name' | 'bookings' | 'profile'>
  ledger: NonNullable<ReturnType<typeof usePersonLedger>>
}

/** Seats that have not been settled yet, and the sum of their prices in euros. */
function expectedCostsOf(bookings: readonly BookingOfPerson[], entries: readonly { courseId: number | null }[]) {
  const settled = new Set(entries.map(({ courseId }) => courseId))
  const open = bookings.filter(
    ({ bookingStatus, courseId }) => bookingStatus === BOOKING_STATUS.Booked && !settled.has(courseId),
  )
  return { count: open.length, amount: formatMoney(open.reduce((sum, { price }) => sum + price, 0)) }
}

/** A person's payment, expected costs, proofs and ledger entries, and a button that adds one. */
export function PersonLedger({ person, ledger: { reading, proofs, balance } }: Props) {
  const { t } = useTranslation(['office-money', 'accounts', 'costs'])
  const expected = expectedCostsOf(person.bookings, reading.data ?? [])
  const { billingType } = person.profile
  const courses = new Map(person.bookings.map(booking => [booking.courseId, booking]))
  const add = () =>
    startAct<'add-entry'>({
      act: { kind: 'add-entry', webUserId: person.id, entryKind: 'goodwill' },
      title: t('ledger.add'),
      about: person.name,
      form: fields => <LedgerEntryFields {...fields} courses={[...courses.values()]} />,
      missing: ({ amount }) => (amount ? [] : [t('amountInEuros')]),
    })
  return (
    <Card flush layout="stack" aria-labelledby="ledger">
      <h2 id="ledger">{t('ledger.title')}</h2>
      <Stack as="dl" gap="s" pairs>
        {billingType ? (
          <div>
            <dt>{t('ledger.payment')}</dt>
            <dd>{t(`accounts:billingType.${billingType}`)}</dd>
          </div>
        ) : null}
        {reading.data && expected.count > 0 && (
          <div>
            <dt>{t('ledger.expected')}</dt>
            <dd>{t('ledger.expectedSum', expected)}</dd>
          </div>
        )}
        {proofs.map(({ id, kind, from, to, state }) => (
          <div key={id}>
            <dt>{t(`office-money:proof.kind.${kind}`)}</dt>
            <dd>
              {formatDay(from)} – {formatDay(to)}, {t(`costs:proof.state.${state}`)}
            </dd>
          </div>
        ))}
      </Stack>
      {reading.data === null && <LoadingState reading={reading} />}
      {reading.data?.length === 0 && (
        <Text tone="muted" flush>
          {t('ledger.none')}
        </Text>
      )}
      {reading.data && reading.data.length > 0 && (
        <CompactTable
          caption={t('ledger.title')}
          columns={[
            { label: t('kind') },
            { label: t('field.course') },
            { label: t('ledger.at'), isWideOnly: true },
            { label: t('amount'), isNumber: true },
          ]}
          rows={reading.data.map(({ id, kind, number, reason, at, batchId, amount }) => ({
            key: id,
            cells: [
              <span key="kind">
                {t(`entry.${kind}`)}
                {reason && (
                  <Text as="small" size="s" block>
                    {reason}
                  </Text>
                )}
              </span>,
              number,
              batchId === null ? (
                formatDay(at)
              ) : (
                <>
                  {formatDay(at)} ·{' '}
                  <Link href={`/office/money/batches/${batchId}`}>{t('ledger.batch', { id: batchId })}</Link>
                </>
              ),
              formatMoney(amount),
            ],
          }))}
          sums={[t('ledger.sum'), '', '', formatMoney(balance ?? 0)]}
        />
      )}
      <Row>
        <Button look="quiet" onClick={add}>
          {t('ledger.add')}
        </Button>
      </Row>
    </Card>
  )
}

type LedgerEntryFieldsProps = {
  act: InitialActDraft<'add-entry'>
  change(fields: Partial<ActDraft<'add-entry'>>): void
  /** the person's courses */
  courses: readonly { courseId: number; number: string; name: string; name2: string }[]
}

/** Fields for a manual ledger entry: kind, course and amount. */
function LedgerEntryFields({ act, change, courses }: LedgerEntryFieldsProps) {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  return (
    <FieldGrid>
      <ChoiceField
        name="entryKind"
        label={t('kind')}
        value={act.entryKind ?? ''}
        options={MANUAL_ENTRY_KINDS.map(value => ({ value, label: t(`entry.${value}`) }))}
        onChange={entryKind => change({ entryKind })}
      />
      <ChoiceField
        name="courseId"
        label={t('field.course')}
        value={String(act.courseId ?? '')}
        options={[
          { value: '', label: t('ledger.noCourse') },
          ...courses.map(course => ({
            value: String(course.courseId),
            label: `${course.number} ${nameInLanguage(language, course)}`,
          })),
        ]}
        onChange={value => change({ courseId: value === '' ? undefined : Number(value) })}
      />
      <AmountField
        label={t('amountInEuros')}
        hint={t(act.entryKind === 'correction' ? 'ledger.signed' : 'ledger.lowers')}
        value={act.amount}
        onChange={amount => change({ amount })}
      />
    </FieldGrid>
  )
}
