import { Input } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SICK_NOTE_CONSENT_VERSION } from '#contract/endpoints/money.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showSuccess } from '#lib/toast.ts'
import { Dialog } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { Form, useShownErrors } from '#ui/form.tsx'
import { Card, FieldGrid, Text } from '#ui/layout.tsx'
import { TextField } from '#ui/text-field.tsx'
import { ACCEPTED_PROOF_FILE_TYPES, MAX_PROOF_MB, type ProofDraft, proofFormErrors } from '../proof-model.ts'
import { useCosts } from '../resource.ts'

/** Makes a file input show a file that was chosen with another input. */
function showFile(input: HTMLInputElement, file: File): void {
  if (input.files?.[0] === file) return
  const chosen = new DataTransfer()
  chosen.items.add(file)
  input.files = chosen.files
}

type Props = { draft: ProofDraft; onChange: (draft: ProofDraft) => void; onClose: () => void }

/**
 * Dialog for entering the period that the chosen absence proof covers. Sending a sick note requires explicit consent
 * (Art. 9(2)(a) GDPR), which the label of the button states.
 */
export function AttendanceProofForm({ draft, onChange, onClose }: Props) {
  const { t } = useTranslation('costs')
  const { kind, file, from, to } = draft
  const [problem, setProblem] = useState('')
  const errors = proofFormErrors(draft)
  const { errorOf, touch, showAll } = useShownErrors<'file' | 'from' | 'to'>(
    Object.fromEntries(
      Object.entries(errors).map(([field, error]) => [field, t(`proof.error.${error}`, { max: MAX_PROOF_MB })]),
    ),
  )
  const send = async () => {
    try {
      const { status, message } = await withProgress(
        api.addProof({ form: { kind, from, to, consent: SICK_NOTE_CONSENT_VERSION }, file }),
      )
      if (status !== 'Ok') return setProblem(message)
      showSuccess(message)
      onClose()
      await useCosts.load()
    } catch (error) {
      setProblem(errorMessageOf(error, t('proof.needsNetwork'), t('proof.tooLarge')))
    }
  }
  const change = (changes: Partial<ProofDraft>) => {
    setProblem('')
    onChange({ ...draft, ...changes })
  }
  return (
    <Dialog kind="sheet" title={t(`proof.add.${kind}`)} onClose={onClose}>
      <Form
        isValid={Object.keys(errors).length === 0}
        onSubmit={send}
        onReach={showAll}
        submitLabel={t(`proof.send.${kind}`)}
        problem={problem}
      >
        <Field label={t('proof.file')} error={errors.file && t(`proof.error.${errors.file}`, { max: MAX_PROOF_MB })}>
          <Input
            ref={(input: HTMLInputElement | null) => {
              if (input) showFile(input, file)
            }}
            type="file"
            accept={ACCEPTED_PROOF_FILE_TYPES}
            error={Boolean(errors.file)}
            onChange={event => {
              const [chosen] = event.currentTarget.files ?? []
              if (chosen) change({ file: chosen })
            }}
          />
        </Field>
        <FieldGrid>
          {(['from', 'to'] as const).map(field => (
            <TextField
              key={field}
              type="date"
              name={field}
              label={t(`proof.${field}.${kind}`)}
              required
              value={draft[field]}
              error={errorOf(field)}
              onChange={value => change({ [field]: value })}
              onBlur={() => touch(field)}
            />
          ))}
        </FieldGrid>
        <Text size="s" flush>
          {t(`proof.hint.${kind}`)}
        </Text>
        {kind === 'sick' && (
          <Card as="p" flush>
            {t('proof.consent')}
          </Card>
        )}
      </Form>
    </Dialog>
  )
}
