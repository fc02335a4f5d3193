import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { ButtonLink } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { textsOfItem } from '#features/content/model.ts'
import { useContent } from '#features/content/resource.ts'
import { useLanguage } from '#lib/use-language.ts'

/** Only what the portal publishes is opened from here: the address could have been made by anybody. */
const DOCUMENT = /^\/content\/[^/\\]+$/

const PHOTO = /^\/(?:photos|thumbnails)\/[^/\\]+$/

/** Says which document or photo the reader wanted to open without a network that is not on this device. */
export function MissingDocument() {
  const { t } = useTranslation('offline')
  const language = useLanguage()
  const items = useContent(state => state.data.items)
  const [search] = useSearchParams()
  const path = search.get('document') ?? ''
  if (PHOTO.test(path)) {
    return (
      <section className={piece('box', 'waiting', 'below')} role="status">
        <h2>{t('missingPhoto')}</h2>
        <p>{t('missingPhotoText')}</p>
        <ButtonLink href="/photo-album" look="primary">
          {t('toAlbums')}
        </ButtonLink>
      </section>
    )
  }
  if (!DOCUMENT.test(path)) return null
  const fileName = decodeURIComponent(path.slice('/content/'.length))
  const item = items.find(other => other.fileName === fileName)
  return (
    <section className={piece('box', 'waiting', 'below')} role="status">
      <h2>{t('missing', { title: item ? textsOfItem(item, language).title : fileName })}</h2>
      <p>{t('missingText')}</p>
      <ButtonLink href={path} look="primary" isOutside>
        {t('missingRetry')}
      </ButtonLink>
    </section>
  )
}
