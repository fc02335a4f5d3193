import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listPasskeys } from '#contract/endpoints/passkeys.ts'
import { formatDate } from '#contract/words.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { useResource } from '#lib/resource.ts'
import { showSuccess } from '#lib/toast.ts'
import { Button } from '#ui/button.tsx'
import { Actions, Box, Card, Stack, Text } from '#ui/layout.tsx'
import { confirmByPasskey, registerPasskey } from '../passkey-store.ts'
import { CurrentPasswordDialog } from './present-password-dialog.tsx'

/** Rejected removal. `text` explains how to confirm it, `problem` why the last attempt failed. */
type Refusal = { id: string; text: string; problem: string }

export function PasskeyList() {
  const { t } = useTranslation('accounts')
  const { data, error, reload } = useResource('listPasskeys', {}, withProgress)
  const passkeys = data ?? []
  const [failure, setProblem] = useState('')
  const problem = failure || (error ? errorMessageOf(error, t('passkey.noAnswer')) : '')
  const [refusal, setRefusal] = useState<Refusal | null>(null)

  const add = async () => {
    setProblem('')
    const isVouched = passkeys.some(passkey => passkey.isVouched)
    const refused = await registerPasskey(key => t(`passkey.${key}`), { isVouched })
    setProblem(refused)
    if (!refused) showSuccess(t('passkey.added'))
    await reload()
  }
  const remove = async (id: string, password = '') => {
    setProblem('')
    try {
      const { status, message } = await withProgress(api.removePasskey({ params: { id }, body: { password } }))
      if (status !== 'Ok') return setRefusal({ id, text: refusal?.text ?? message, problem: refusal ? message : '' })
      setRefusal(null)
      showSuccess(message)
    } catch (cause) {
      setRefusal(null)
      setProblem(errorMessageOf(cause, t('passkey.noAnswer')))
    }
    await reload()
  }
  const removeByPasskey = async ({ id, text }: Refusal) => {
    const refused = await confirmByPasskey(key => t(`passkey.${key}`))
    if (refused) return setRefusal({ id, text, problem: refused })
    await remove(id)
  }
  return (
    <Stack as="section" flush part aria-labelledby="passkeys">
      <h2 id="passkeys">{t('passkey.title')}</h2>
      <Text tone="muted" flush>
        {t('passkey.text')}
      </Text>
      <Stack as="ul" width="narrow">
        {passkeys.map(passkey => (
          <PasskeyEntry key={passkey.id} passkey={passkey} onRemove={() => remove(passkey.id)} />
        ))}
      </Stack>
      {problem && (
        <Card as="p" status="error" flush role="alert">
          {problem}
        </Card>
      )}
      {refusal && (
        <CurrentPasswordDialog
          title={t('passkey.confirmTitle')}
          text={refusal.text}
          submitLabel={t('passkey.remove')}
          problem={refusal.problem}
          onSubmit={password => remove(refusal.id, password)}
          onClose={() => setRefusal(null)}
        >
          {browserSupportsWebAuthn() && (
            <Button look="ghost" isWide onClick={() => removeByPasskey(refusal)}>
              {t('passkey.confirmByPasskey')}
            </Button>
          )}
        </CurrentPasswordDialog>
      )}
      {browserSupportsWebAuthn() ? (
        <Actions>
          <Button look="ghost" onClick={add}>
            {t('passkey.add')}
          </Button>
        </Actions>
      ) : (
        <Text tone="muted" flush>
          {t('passkey.unsupported')}
        </Text>
      )}
    </Stack>
  )
}

type EntryProps = { passkey: ResponseOf<typeof listPasskeys>[number]; onRemove: () => void }

function PasskeyEntry({ passkey: { name, createdAt, lastUsedAt, isVouched }, onRemove }: EntryProps) {
  const { t } = useTranslation('accounts')
  return (
    <Card as="li" layout="row">
      <Box grow flush>
        <Text as="h3" variant="name">
          {name || t('passkey.unnamed')}
        </Text>
        <Text tone="muted" flush>
          {t('passkey.since', { date: formatDate(createdAt) })}
          {lastUsedAt && ` · ${t('passkey.used', { date: formatDate(lastUsedAt) })}`}
          {isVouched && ` · ${t('passkey.vouched')}`}
        </Text>
      </Box>
      <Button
        look="ghost"
        aria-label={t('passkey.removeOf', { name: name || t('passkey.unnamed'), date: formatDate(createdAt) })}
        onClick={onRemove}
      >
        {t('passkey.remove')}
      </Button>
    </Card>
  )
}
