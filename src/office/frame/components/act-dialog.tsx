import '@mantine/core/styles/Input.layer.css'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { ActResponse } from '#contract/office/office.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { useElapsedSeconds } from '#lib/use-now.ts'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Card, Row, Stack, Table, Text } from '#ui/layout.tsx'
import { LongTextField } from '#ui/long-text-field.tsx'
import { styles } from '#ui/styles.ts'
import { type ActDraft, type ActRequest, closeActDialog, type InitialActDraft, useActs } from '../act-store.ts'
import { useOfficeState } from '../store.ts'
import { useActDialog } from '../use-act-dialog.ts'
import { ImpactSummary } from './impact-summary.tsx'
import { PasskeyConfirmation } from './passkey-confirmation.tsx'

/** From this many seconds on, an action is reported as running. */
const LONG_S = 2

/** Dialog that previews, confirms and performs every office action. */
export function ActDialog() {
  const asked = useActs(state => state.asked)
  const turn = useActs(state => state.turn)
  // The key resets the dialog's state for each new action.
  return asked && <AskedAct key={turn} request={asked} />
}

function AskedAct({ request }: { request: ActRequest }) {
  const {
    current,
    act,
    change,
    reason,
    setReason,
    isReasonAsked,
    answer,
    problem,
    isReady,
    missing,
    isSending,
    sentCount,
    perform,
  } = useActDialog(request)
  const { t } = useTranslation('office')
  // Confirmation by passkey is requested inside this dialog, because the page behind a modal dialog cannot be reached.
  const isPasskeyAsked = useOfficeState(state => state.isPasskeyAsked)
  const { title, about = '', confirm = title, isWide = false } = current
  const count = answer?.status === 'Ok' ? answer.consequences.told.length : 0
  const position = answer?.status === 'Ok' && act.kind === 'book' && isWaiting(answer.result) && answer.result.position
  const said = position ? t('act.toWaitingList', { position }) : confirm
  const label = count > 0 ? t('act.confirmTold', { confirm: said, count }) : said
  const isUploading = useOfficeState(state => state.uploads > 0)
  const canAct = answer?.status === 'Ok' && !isSending && !isPasskeyAsked && !isUploading
  const blockedId = useId()
  const ofMany = (current.others?.length ?? 0) + 1
  const sendingText = t(ofMany > 1 ? 'act.sendingOf' : 'act.sending', { number: sentCount + 1, count: ofMany })
  return (
    <Dialog
      title={title}
      isWide={isWide}
      onClose={closeActDialog}
      footer={
        <>
          {missing.length > 0 && (
            <Text id={blockedId} size="s" flush>
              {t('act.missing', { fields: missing.join(', ') })}
            </Text>
          )}
          <Button look="quiet" onClick={closeActDialog}>
            {t('act.cancel')}
          </Button>
          <Button
            look="primary"
            isWide
            aria-disabled={!canAct}
            {...(missing.length > 0 && { 'aria-describedby': blockedId })}
            onClick={() => canAct && perform()}
          >
            {label}
          </Button>
        </>
      }
    >
      {isPasskeyAsked && <PasskeyConfirmation />}
      <Stack hidden={isPasskeyAsked}>
        {about && (
          <Text variant="name" flush>
            {about}
          </Text>
        )}
        <Fields of={current} act={act} change={change} answer={answer} />
        {isReasonAsked && <Reason value={reason} onChange={setReason} />}
        {'quiet' in act && (act.quiet === true || count > 0) && (
          <CheckField label={t('act.quiet')} checked={act.quiet === true} onChange={quiet => change({ quiet })} />
        )}
        <Preview answer={answer} isReady={isReady} problem={problem} details={current.details}>
          {isSending && <Waiting text={sendingText} />}
        </Preview>
        {current !== request && <BothSides before={request} now={current} act={act} />}
      </Stack>
    </Dialog>
  )
}

function Reason({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const { t } = useTranslation('office')
  return (
    <LongTextField
      label={t('act.reason')}
      hint={t('act.reasonHint')}
      required
      value={value}
      maxLength={1000}
      onChange={onChange}
    />
  )
}

type PreviewProps = {
  answer: ActResponse | null
  isReady: boolean
  problem: string
  details: ActRequest['details']
  children: ReactNode
}

function Preview({ answer, isReady, problem, details: Details, children }: PreviewProps) {
  const { t } = useTranslation('office')
  const id = useId()
  let content: ReactNode = isReady ? <Waiting text={t('act.looking')} /> : <Text tone="muted">{t('act.fillIn')}</Text>
  if (problem) content = <p>{problem}</p>
  else if (answer?.status === 'Ok')
    content = (
      <>
        {Details && <Details {...answer} />}
        <BookingOutcome answer={answer} />
      </>
    )
  else if (answer) content = <p>{answer.message}</p>
  const isTrouble = problem !== '' || (answer !== null && answer.status !== 'Ok')
  return (
    <Card status={isTrouble ? 'error' : undefined} gap="s" flush layout="stack" aria-labelledby={id} aria-live="polite">
      <Text as="h3" id={id} size="s">
        {t('act.preview')}
      </Text>
      {content}
      {children}
    </Card>
  )
}

/** What the server is working on, from two seconds on with the time that it has taken so far. */
function Waiting({ text }: { text: string }) {
  const { t } = useTranslation('office')
  const seconds = useElapsedSeconds()
  return (
    <Row gap="s">
      {seconds >= LONG_S && <span className={styles({ base: 'spinner' })} aria-hidden />}
      <Text tone="muted" flush>
        {text}
        {/* Screen readers would read out each second. */}
        {seconds >= LONG_S && <span aria-hidden> {t('act.seconds', { seconds })}</span>}
      </Text>
    </Row>
  )
}

/** The impact of an action. Of a booking, it also says whether it is a place or which position on the waiting list. */
function BookingOutcome({ answer: { result, consequences } }: { answer: ActResponse }) {
  const { t } = useTranslation('office')
  const isBooking = 'bookingStatus' in result && consequences.ended.length === 0
  if (!isBooking) return <ImpactSummary consequences={consequences} />
  return (
    <>
      <Text weight="semibold" flush>
        {isWaiting(result) ? t('consequences.position', { position: result.position }) : t('consequences.seat')}
      </Text>
      <ImpactSummary consequences={{ ...consequences, booked: [] }} />
    </>
  )
}

const isWaiting = ({ bookingStatus }: ActResponse['result']) => bookingStatus === BOOKING_STATUS.Waitinglist

type FieldsProps = {
  of: ActRequest
  act: InitialActDraft
  change(fields: Partial<ActDraft>): void
  answer: ActResponse | null
}

/** Called as a function instead of rendered as a component, so that input survives a change of the request. */
const Fields = ({ of: { form }, ...fields }: FieldsProps) => form?.(fields)

type Sides = { before: ActRequest; now: ActRequest; act: InitialActDraft }

/**
 * Shown after a version conflict: the values that the user read, the current ones, and the user's own input where these
 * differ.
 */
function BothSides({ before, now, act }: Sides) {
  const { t } = useTranslation('office')
  const rows = (now.facts ?? []).map(({ label, value, name, say = String }) => {
    const seen = before.facts?.find(fact => fact.label === label)?.value ?? ''
    const typed: unknown = name && Reflect.get(act, name)
    const isTyped = name !== undefined && typed !== undefined && say(typed) !== value
    return { label, seen, value, mine: isTyped ? say(typed) : '', isTyped }
  })
  const shown = rows.filter(({ seen, value, isTyped }) => seen !== value || isTyped)
  const hasMine = shown.some(({ isTyped }) => isTyped)
  return (
    <Stack as="section" aria-live="polite" gap="s">
      <Text variant="name" flush>
        {t(shown.length > 0 ? 'act.changed' : 'act.changedElsewhere')}
      </Text>
      {shown.length > 0 && (
        <Table>
          <thead>
            <tr>
              <td />
              <th scope="col">{t('act.before')}</th>
              <th scope="col">{t('act.now')}</th>
              {hasMine && <th scope="col">{t('act.mine')}</th>}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ label, seen, value, mine }) => (
              <tr key={label} className={seen === value ? '' : styles({ weight: 'bold' })}>
                <th scope="row">{label}</th>
                <td>{seen || '–'}</td>
                <td>{value || '–'}</td>
                {hasMine && <td>{mine}</td>}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Stack>
  )
}
