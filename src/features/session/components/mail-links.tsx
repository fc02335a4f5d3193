import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ApiCallOutcome, EMAIL_PATTERN } from '#contract/values.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showError, showSuccess } from '#lib/toast.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Card, Stack, Text } from '#ui/layout.tsx'

const titleOf = ({ status }: ApiCallOutcome) => {
  if (status === 'Ok') return 'sent'
  return status === 'WrongPWorUser' ? 'unknown' : 'failed'
}

/** Buttons that request a password reset or activation e-mail for the e-mail address in the login form. */
export function AccountEmailButtons({ userName }: { userName: string }) {
  const { t } = useTranslation('session')
  const [answer, setAnswer] = useState<ApiCallOutcome | null>(null)
  const isEmail = EMAIL_PATTERN.test(userName)
  const close = () => setAnswer(null)
  const [problem, setProblem] = useState('')
  const tell = (message: string) => {
    setProblem(message)
    showError(message)
  }

  const isSending = useRef(false)
  /** A second tap would report that the first one has to be waited for. */
  const sendOnce = async (send: () => Promise<void>) => {
    if (isSending.current) return
    isSending.current = true
    setProblem('')
    try {
      await withProgress(send())
    } catch (error) {
      tell(errorMessageOf(error, t('noAnswer')))
    } finally {
      isSending.current = false
    }
  }
  const reset = () => sendOnce(async () => setAnswer(await api.resetPassword({ body: { userName } })))
  const resend = () =>
    sendOnce(async () => {
      const { status, message } = await api.resendEmail({ params: { userName } })
      if (status === 'Ok') showSuccess(message)
      else tell(message)
    })
  return (
    <Stack gap="none" align="start" my="m">
      <Button look="text" disabled={!isEmail} onClick={reset}>
        {t('login.forgot')}
      </Button>
      <Button look="text" disabled={!isEmail} onClick={resend}>
        {t('login.resend')}
      </Button>
      {!isEmail && (
        <Text tone="muted" flush>
          {t('login.linksNeedEmail')}
        </Text>
      )}
      {problem && (
        <Card as="p" status="error" flush>
          {problem}
        </Card>
      )}
      {answer && (
        <Dialog title={t(`reset.${titleOf(answer)}`)} onClose={close}>
          <p>{answer.message}</p>
          <Button look="plain" onClick={close}>
            {t('ok')}
          </Button>
        </Dialog>
      )}
    </Stack>
  )
}
