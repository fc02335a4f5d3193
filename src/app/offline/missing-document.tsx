import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { ButtonLink } from '#components/button.tsx'
import { Card } from '#components/layout.tsx'
import { textsOfItem } from '#features/content/model.ts'
import { useContent } from '#features/content/resource.ts'
import { useLanguage } from '#lib/use-language.ts'

/** Only published documents can be opened from here: the URL is untrusted. */
const DOCUMENT = /^\/content\/[^/\\]+$/

const PHOTO = /^\/(?:photos|thumbnails)\/[^/\\]+$/

/** Shown offline for a document or photo that is not cached; names the file. */
export function MissingDocument() {
  const { t } = useTranslation('offline')
  const language = useLanguage()
  const items = useContent(state => state.data.items)
  const [search] = useSearchParams()
  const path = search.get('document') ?? ''
  if (PHOTO.test(path)) {
    return (
      <Card status="pending" mb="xl" role="status">
        <h2>{t('missingPhoto')}</h2>
        <p>{t('missingPhotoText')}</p>
        <ButtonLink href="/photo-album" look="primary">
          {t('toAlbums')}
        </ButtonLink>
      </Card>
    )
  }
  if (!DOCUMENT.test(path)) return null
  const fileName = decodeURIComponent(path.slice('/content/'.length))
  const item = items.find(other => other.fileName === fileName)
  return (
    <Card status="pending" mb="xl" role="status">
      <h2>{t('missing', { title: item ? textsOfItem(item, language).title : fileName })}</h2>
      <p>{t('missingText')}</p>
      <ButtonLink href={path} look="primary" isOutside>
        {t('missingRetry')}
      </ButtonLink>
    </Card>
  )
}
