import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { AsOfLine } from '#components/as-of-line.tsx'
import { ScreenHeader } from '#components/screen-header.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { EmptyState, ErrorState } from '#components/state-panel.tsx'
import { useSession } from '#features/session/store.ts'
import { useWhenBack } from '#lib/use-when-back.ts'
import { Message } from './components/message.tsx'
import classes from './messages-screen.module.css'
import { useInbox } from './store.ts'

/** The person's messages, newest first; offline those of the last visit. */
export function MessagesScreen() {
  const { t } = useTranslation('inbox')
  const webUserId = useSession(state => state.session?.webUserId)
  const { messages, asOf, isStale, load } = useInbox()
  useEffect(() => {
    if (webUserId !== undefined) load()
  }, [webUserId, load])
  useWhenBack(load, messages !== null && isStale)
  return (
    <>
      <ScreenHeader title={t('title')} lead={t('lead')} />
      <AsOfLine asOf={asOf} isStale={isStale} />
      {messages === null && !isStale && <Skeleton rows={3} height={150} />}
      {messages === null && isStale && <ErrorState title={t('failed')} text={t('failedText')} onRetry={load} />}
      {messages?.length === 0 && <EmptyState title={t('empty')} text={t('emptyText')} />}
      {messages && messages.length > 0 && (
        <ul className={classes.list}>
          {messages.map(message => (
            <li key={message.id}>
              <Message message={message} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
