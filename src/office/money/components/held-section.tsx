import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ItemOf, ResponseOf } from '#contract/endpoint.ts'
import type { getOfficeMoney, listHeld } from '#contract/office/money.ts'
import type { UnbillableCause } from '#contract/values.ts'
import { formatMoney } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showError } from '#lib/toast.ts'
import { startAct } from '#office/frame/act-store.ts'
import { CompactTable } from '#office/frame/components/compact-table.tsx'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { RecordLink } from '#office/frame/components/record-link.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { hasAnyRight } from '#office/frame/model.ts'
import { changePerson, hasFullProfile, verifyPerson } from '#office/people/components/person-acts.tsx'
import { Button } from '#ui/button.tsx'
import { Surface, Text } from '#ui/layout.tsx'
import classes from './money.module.css'
import { acceptPayer, createBatch } from './money-acts.tsx'
import { MoneySection } from './money-section.tsx'

type Held = ResponseOf<typeof getOfficeMoney>['held']
type HeldRow = ItemOf<typeof listHeld>

/** Amounts that cannot be billed, by cause. Each cause lists the people affected, with the action that resolves it. */
export function HeldAmountsSection({ held, seasonId }: { held: Held; seasonId: string }) {
  const { t } = useTranslation('office-money')
  if (held.length === 0) return null
  const total = held.reduce((sum, { amount }) => sum + amount, 0)
  return (
    <MoneySection title={t('held.title', { amount: formatMoney(total) })} lead={t('held.lead')}>
      <Surface divided>
        {held.map(one => (
          <Cause key={one.cause} {...one} seasonId={seasonId} />
        ))}
      </Surface>
    </MoneySection>
  )
}

function Cause({ cause, count, amount, seasonId }: Held[number] & { seasonId: string }) {
  const { t } = useTranslation('office-money')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className={classes.cause} onToggle={event => setIsOpen(event.currentTarget.open)}>
      <summary>
        <b>{t(`held.cause.${cause}`)}</b>
        <Text as="span" tone="muted" grow>
          {t(`held.help.${cause}`)}
        </Text>
        <span className={classes.sum}>
          {t('held.count', { count })} · <b>{formatMoney(amount)}</b>
        </span>
      </summary>
      {isOpen && <Payers cause={cause} seasonId={seasonId} />}
    </details>
  )
}

function Payers({ cause, seasonId }: { cause: UnbillableCause; seasonId: string }) {
  const { t } = useTranslation('office-money')
  const reading = useCompleteList('listHeld', { cause, ...(seasonId !== '' && { seasonId }) })
  if (reading.data === null) return <LoadingState reading={reading} />
  return (
    <div>
      <CompactTable
        caption={t(`held.cause.${cause}`)}
        columns={[{ label: t('field.person') }, { label: t('amount'), isNumber: true }]}
        rows={reading.data.map(row => ({
          key: row.id,
          cells: [
            <RecordLink key="name" kind="people" id={row.webUserId}>
              {row.name}
            </RecordLink>,
            formatMoney(row.amount),
          ],
          actions: <Resolve row={row} />,
        }))}
      />
    </div>
  )
}

/** Button for the action that resolves the cause of an amount on hold. */
function Resolve({ row: { webUserId, name, cause } }: { row: HeldRow }) {
  const { t } = useTranslation(['office-money', 'office', 'accounts'])
  const mayChange = useSession(state => hasAnyRight(state.session?.rights ?? [], ['bookings']))
  if (webUserId === null) return t('held.deleted')
  if (!['consent', 'iban'].includes(cause) && !mayChange) return t('held.needsBookings')
  const resolve = async () => {
    if (cause === 'consent') return startAct(acceptPayer({ webUserId, name }))
    // People must enter their IBAN themselves. Creating a refund batch asks everyone whose IBAN is missing to enter it.
    if (cause === 'iban') return startAct(createBatch('refund'))
    try {
      const person = await withProgress(api.getOfficePerson({ params: { id: webUserId } }))
      if (!hasFullProfile(person)) return
      if (cause === 'unverified') startAct(verifyPerson(person))
      else startAct(changePerson(person))
    } catch (error) {
      showError(errorMessageOf(error, t('office:noAnswer')))
    }
  }
  return (
    <Button look="text" aria-label={`${t(`held.act.${cause}`)}: ${name}`} onClick={() => void resolve()}>
      {t(`held.act.${cause}`)}
    </Button>
  )
}
