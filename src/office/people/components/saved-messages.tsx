import { useTranslation } from 'react-i18next'
import type { SavedMessage } from '#contract/office/people.ts'
import { startAct } from '#office/frame/act-store.ts'
import { CompactTable } from '#office/frame/components/compact-table.tsx'
import { Button } from '#ui/button.tsx'
import { Stack, Text } from '#ui/layout.tsx'
import { formatDateTime } from '../people-model.ts'

const STATES = ['scheduled', 'draft', 'template'] as const

type Props = { messages: readonly SavedMessage[]; onUse: (message: SavedMessage) => void }

/** List of message drafts, templates and scheduled messages. */
export function SavedMessages({ messages, onUse }: Props) {
  const { t } = useTranslation('office-people')
  const remove = ({ id, title }: SavedMessage) =>
    startAct<'remove-message'>({
      act: { kind: 'remove-message', messageId: id },
      title: t('saved.remove'),
      about: title,
    })
  return STATES.map(state => {
    const own = messages.filter(message => message.state === state)
    if (own.length === 0) return null
    return (
      <Stack as="section" key={state} gap="s" aria-label={t(`saved.${state}`)}>
        <Text as="h2" variant="heading">
          {t(`saved.${state}`)}
        </Text>
        <CompactTable
          caption={t(`saved.${state}`)}
          columns={[
            { label: t('message.subject') },
            { label: t('message.to') },
            { label: t('saved.at'), isWideOnly: true },
          ]}
          rows={own.map(message => ({
            key: message.id,
            cells: [
              <span key="title">
                {message.title}
                {message.problem && (
                  <Text as="small" tone="bad" block>
                    {message.problem}
                  </Text>
                )}
              </span>,
              message.to ? message.name || t(`message.kind.${message.to}`) : '',
              message.sendAt ? formatDateTime(message.sendAt) : '',
            ],
            actions: (
              <>
                <Button look="text" aria-label={`${t('saved.use')}: ${message.title}`} onClick={() => onUse(message)}>
                  {t('saved.use')}
                </Button>
                <Button
                  look="text"
                  aria-label={`${t('saved.remove')}: ${message.title}`}
                  onClick={() => remove(message)}
                >
                  {t('saved.remove')}
                </Button>
              </>
            ),
          }))}
        />
      </Stack>
    )
  })
}
