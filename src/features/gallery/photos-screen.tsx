import { IconArrowLeft } from '@tabler/icons-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'wouter'
import buttons from '#components/button.module.css'
import { Picture } from '#components/picture.tsx'
import { ScreenHeader } from '#components/screen-header.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { EmptyState, ErrorState } from '#components/state-panel.tsx'
import { pickText } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { photoUrl, thumbnailUrl } from '#features/system/store.ts'
import { usePageTitle } from '#lib/breadcrumb.ts'
import { formatDate } from '#lib/format.ts'
import { useLanguage } from '#lib/use-language.ts'
import classes from './photos-screen.module.css'
import { useGallery } from './store.ts'

/** The photos of one album; each opens in a tab of its own. */
export function PhotosScreen() {
  const albumId = Number(useParams().id)
  const { t } = useTranslation(['gallery', 'shell'])
  const language = useLanguage()
  const isChecked = useSession(state => state.phase !== 'checking')
  const album = useGallery(state => state.albums.find(({ id }) => id === albumId))
  const photos = useGallery(state => state.photos[albumId])
  const loadPhotos = useGallery(state => state.loadPhotos)
  const [isFailed, setIsFailed] = useState(false)
  const name = album ? pickText(language, album.name, album.name2) : null
  usePageTitle(name, '', `/photo-album/${albumId}`)

  const load = useCallback(() => {
    setIsFailed(false)
    loadPhotos(albumId).catch(() => setIsFailed(true))
  }, [albumId, loadPhotos])
  useEffect(() => {
    if (isChecked) load()
  }, [isChecked, load])

  return (
    <>
      <ScreenHeader
        title={name ?? t('shell:title.photos')}
        lead={album && pickText(language, album.description, album.description2)}
      >
        <p className={classes.back}>
          <Link href="/photo-album" className={`${buttons.button} ${buttons.light}`}>
            <IconArrowLeft aria-hidden /> {t('back')}
          </Link>
        </p>
      </ScreenHeader>
      {!photos && !isFailed && <Skeleton rows={2} height={220} />}
      {!photos && isFailed && <ErrorState title={t('photosFailed')} onRetry={load} />}
      {photos?.length === 0 && <EmptyState title={t('noPhotos')} />}
      <ul className={classes.photos}>
        {photos?.map(({ fileName, shootingdate }, place) => (
          <li key={fileName}>
            <a href={photoUrl(fileName)} target="_blank" rel="noopener">
              <Picture
                src={thumbnailUrl(fileName)}
                alt={t('photo', { position: place + 1, count: photos.length, date: formatDate(shootingdate) })}
                width={480}
                height={320}
                isFirst={place < 6}
              />
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
