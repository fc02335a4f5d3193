import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isIban } from '#contract/iban-rules.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showSuccess } from '#lib/toast.ts'
import { Form } from '#ui/form.tsx'
import { Card, Text } from '#ui/layout.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useCosts } from '../resource.ts'

/** Form for the IBAN to which a refund is paid. The portal deletes the IBAN once the transfer has been ordered. */
export function IbanForm({ saved }: { saved: string }) {
  const { t } = useTranslation('costs')
  const [iban, setIban] = useState(saved)
  const [problem, setProblem] = useState('')
  const [isChecked, setIsChecked] = useState(false)
  const isValid = isIban(iban.replaceAll(/\s/g, '').toUpperCase())
  const send = async () => {
    try {
      const { status, message } = await withProgress(api.saveIban({ body: { iban } }))
      if (status !== 'Ok') return setProblem(message)
      showSuccess(message)
      await useCosts.load()
    } catch (error) {
      setProblem(errorMessageOf(error, t('iban.needsNetwork')))
    }
  }
  return (
    <Card gap="s" layout="stack" aria-labelledby="iban">
      <h2 id="iban">{t('iban.title')}</h2>
      <Text flush>{t(saved ? 'iban.saved' : 'iban.text')}</Text>
      <Form
        isValid={isValid}
        onSubmit={send}
        onReach={() => setIsChecked(true)}
        submitLabel={t('iban.send')}
        problem={problem}
      >
        <TextField
          name="iban"
          label={t('iban.label')}
          required
          autoComplete="off"
          value={iban}
          error={isChecked && !isValid ? t('iban.error') : ''}
          onChange={value => {
            setProblem('')
            setIban(value)
          }}
          onBlur={() => setIsChecked(iban !== '')}
        />
      </Form>
    </Card>
  )
}
