import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { CleanHtml } from '#components/clean-html.tsx'
import { IconBellFilled, IconDownload } from '#components/icons.ts'
import { piece } from '#components/pieces.ts'
import type { InboxItem } from '#contract/inbox.ts'
import { formatDate } from '#contract/words.ts'
import { ApiError } from '#lib/api-error.ts'
import { saveFile } from '#lib/save-file.ts'
import { showError } from '#lib/toast.ts'
import { fetchDocument } from '../resource.ts'

export function Message({ message }: { message: InboxItem }) {
  const { t } = useTranslation('inbox')
  const { id, created, title, text, documentName, seen } = message

  const download = async () => {
    try {
      saveFile(await fetchDocument(id), documentName)
    } catch (error) {
      if (!(error instanceof ApiError)) showError(t('needsNetwork'))
      // Expired sessions and missing rights have their own messages.
      else if (error.status !== 401 && error.status !== 403) showError(error.message)
    }
  }
  return (
    <article className={piece(seen ? 'box' : 'waiting', 'stack', 'close', 'flush')}>
      <p className={piece('spread', 'muted')}>
        <time>{formatDate(created)}</time>
        {!seen && (
          <span className={piece('row', 'bad')}>
            <IconBellFilled size={20} />
            {t('unseen')}
          </span>
        )}
      </p>
      <h2 className={piece('heading')}>{title}</h2>
      <CleanHtml html={text} />
      {documentName && (
        <Button look="ghost" className={piece('start')} onClick={download}>
          <IconDownload size={22} />
          <span className={piece('grow')}>
            <span className="visually-hidden">{t('download')}: </span>
            {documentName}
          </span>
        </Button>
      )}
    </article>
  )
}
