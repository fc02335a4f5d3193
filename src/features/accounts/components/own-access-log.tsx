import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showError } from '#lib/toast.ts'
import { Button } from '#ui/button.tsx'
import { Actions, Box, Stack, Text } from '#ui/layout.tsx'

/** Translation keys of the logged API calls and roles. */
const TEXTS = { calls: 'reads.call', roles: 'reads.role' }

type Read = { at: string; by: string; call: string }

/** Formats '2026-11-22T18:00:00' as '22.11.2026, 18:00'. */
const sayAt = (at: string) => `${at.slice(8, 10)}.${at.slice(5, 7)}.${at.slice(0, 4)}, ${at.slice(11, 16)}`

/** Access log of the user's own data: which staff members and instructors have viewed it. */
export function OwnAccessLog() {
  const { t } = useTranslation('accounts')
  const [reads, setReads] = useState<Read[] | null>(null)
  const [next, setNext] = useState<string | null>(null)
  const show = async () => {
    try {
      const page = await withProgress(api.listOwnReads({ query: next === null ? {} : { after: next } }))
      setReads([...(reads ?? []), ...page.items])
      setNext(page.next)
    } catch (error) {
      showError(errorMessageOf(error, t('data.noAnswer')))
    }
  }
  const words = t(TEXTS.calls, { returnObjects: true }) as Record<string, string>
  const roles = t(TEXTS.roles, { returnObjects: true }) as Record<string, string>
  const who = (by: string) =>
    by.split(', ').every(part => part in roles)
      ? by
          .split(', ')
          .map(part => roles[part])
          .join(', ')
      : by
  return (
    <Stack as="section" flush part aria-labelledby="own-reads">
      <h2 id="own-reads">{t('reads.title')}</h2>
      <Text tone="muted" flush>
        {t('reads.text')}
      </Text>
      {reads?.length === 0 && <Text flush>{t('reads.none')}</Text>}
      {reads && reads.length > 0 && (
        <Box as="ul" bullets>
          {reads.map(({ at, by, call: name }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is append-only
            <li key={index}>
              {sayAt(at)}: {who(by)} ({words[name] ?? t('reads.other')})
            </li>
          ))}
        </Box>
      )}
      {(reads === null || next !== null) && (
        <Actions>
          <Button look="ghost" onClick={show}>
            {t(reads === null ? 'reads.show' : 'reads.more')}
          </Button>
        </Actions>
      )}
    </Stack>
  )
}
