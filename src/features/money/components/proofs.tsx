import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ATTENDANCE_PROOF_KINDS } from '#contract/endpoints/money.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showError, showSuccess } from '#lib/toast.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { IconTrash } from '#ui/icons.ts'
import { ActionLink, Actions, IconButton, ListEntry, Stack, Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { ACCEPTED_PROOF_FILE_TYPES, MAX_PROOF_MB, type ProofDraft, type ProofKind } from '../proof-model.ts'
import { type OwnAttendanceProof, useCosts } from '../resource.ts'
import { AttendanceProofForm } from './proof-form.tsx'

/** Formats 'YYYY-MM-DD' as 'DD.MM.YYYY'. */
const dayOf = (date: string) => date.slice(0, 10).split('-').reverse().join('.')

/** The user's absence proofs (sick notes and proofs of shift work), and buttons to upload more. */
export function AttendanceProofs({ proofs }: { proofs: OwnAttendanceProof[] }) {
  const { t } = useTranslation('costs')
  const [draft, setDraft] = useState<ProofDraft | null>(null)
  const [unwanted, setUnwanted] = useState<OwnAttendanceProof | null>(null)

  const picker = useRef<HTMLInputElement>(null)
  const [kind, setKind] = useState<ProofKind>('sick')

  // Opens the file picker in the click handler, so that the kind of proof and the file are chosen in one step.
  const openPicker = (chosen: ProofKind) => {
    setKind(chosen)
    picker.current?.click()
  }
  const chooseFile = (input: HTMLInputElement) => {
    const [file] = input.files ?? []
    if (file) setDraft({ kind, file, from: '', to: '' })
    // Resets the input so that the same file can be chosen again.
    input.value = ''
  }
  const [toWithdraw, setToWithdraw] = useState<OwnAttendanceProof | null>(null)
  const send = async (request: Promise<{ status: string; message: string }>) => {
    setUnwanted(null)
    setToWithdraw(null)
    try {
      const { status, message } = await withProgress(request)
      if (status === 'Ok') showSuccess(message)
      else showError(message)
    } catch (error) {
      showError(errorMessageOf(error, t('proof.needsNetwork')))
    }
    await useCosts.load()
  }
  return (
    <Stack as="section" gap="s" aria-labelledby="proofs">
      <h2 id="proofs">{t('proof.title')}</h2>
      <Text flush>{t('proof.text')}</Text>
      <Actions>
        {ATTENDANCE_PROOF_KINDS.map(one => (
          <Button key={one} look="plain" onClick={() => openPicker(one)}>
            {t(`proof.add.${one}`)}
          </Button>
        ))}
        <input
          ref={picker}
          type="file"
          accept={ACCEPTED_PROOF_FILE_TYPES}
          hidden
          onChange={event => chooseFile(event.currentTarget)}
        />
      </Actions>
      <Text size="s" flush>
        {t('proof.files', { max: MAX_PROOF_MB })}
      </Text>
      {proofs.length > 0 && (
        <Stack as="ul" gap="s" aria-label={t('proof.own')}>
          {proofs.map(proof => (
            <ProofEntry key={proof.id} proof={proof} onRemove={setUnwanted} onWithdraw={setToWithdraw} />
          ))}
        </Stack>
      )}
      {draft && <AttendanceProofForm draft={draft} onChange={setDraft} onClose={() => setDraft(null)} />}
      {unwanted && (
        <ConfirmDialog
          title={t('proof.removeTitle')}
          text={t('proof.removeText')}
          confirmLabel={t('proof.removeYes')}
          onConfirm={() => send(api.deleteProof({ params: { id: unwanted.id } }))}
          onCancel={() => setUnwanted(null)}
        />
      )}
      {toWithdraw && (
        <ConfirmDialog
          title={t('proof.withdrawTitle')}
          text={t('proof.withdrawText')}
          confirmLabel={t('proof.withdrawYes')}
          onConfirm={() => send(api.withdrawConsent({ params: { id: toWithdraw.id } }))}
          onCancel={() => setToWithdraw(null)}
        />
      )}
    </Stack>
  )
}

type EntryProps = {
  proof: OwnAttendanceProof
  onRemove: (proof: OwnAttendanceProof) => void
  onWithdraw: (proof: OwnAttendanceProof) => void
}

function ProofEntry({ proof, onRemove, onWithdraw }: EntryProps) {
  const { t } = useTranslation('costs')
  return (
    <ListEntry>
      <Stack as="span" size="s" grow gap="xs">
        <Text as="b" variant="name" tone="ink">
          {t(`proof.kind.${proof.kind}`)}, {dayOf(proof.from)} – {dayOf(proof.to)}
        </Text>
        <span>
          <b className={proof.state === 'accepted' ? styles({ tone: 'good' }) : styles({ tone: 'ink' })}>
            {t(`proof.state.${proof.state}`)}
          </b>
          {` · ${t('proof.sent', { day: dayOf(proof.createdAt) })} · ${proof.fileName}`}
        </span>
        {proof.effect && (
          <Text as="span" tone="ink">
            {proof.effect}
          </Text>
        )}
        {proof.consent && (
          <Consent of={proof.consent} onWithdraw={() => onWithdraw(proof)} isDecided={proof.state !== 'open'} />
        )}
        {proof.reason && (
          <Text as="span" tone="ink">
            {t('proof.reason', { reason: proof.reason })}
          </Text>
        )}
      </Stack>
      {proof.state === 'open' && (
        <IconButton
          type="button"
          aria-label={t('proof.remove', { from: dayOf(proof.from), to: dayOf(proof.to) })}
          onClick={() => onRemove(proof)}
        >
          <IconTrash />
        </IconButton>
      )}
    </ListEntry>
  )
}

type ConsentProps = { of: NonNullable<OwnAttendanceProof['consent']>; isDecided: boolean; onWithdraw: () => void }

/**
 * Shows the consent to storing a sick note. Deleting the sick note before the office has decided on it withdraws the
 * consent.
 */
function Consent({ of: { at, version, withdrawnAt }, isDecided, onWithdraw }: ConsentProps) {
  const { t } = useTranslation('costs')
  if (withdrawnAt !== null) return <span>{t('proof.withdrawn', { day: dayOf(withdrawnAt) })}</span>
  return (
    <span>
      {t('proof.consented', { day: dayOf(at), version })}
      {isDecided && (
        <>
          {' · '}
          <ActionLink as="button" type="button" onClick={onWithdraw}>
            {t('proof.withdraw')}
          </ActionLink>
        </>
      )}
    </span>
  )
}
