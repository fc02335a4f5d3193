import { IconCloudCheck, IconCloudOff, IconPhoto } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { AsOfLine } from '#components/as-of-line.tsx'
import cards from '#components/cards.module.css'
import { Picture } from '#components/picture.tsx'
import { ScreenHeader } from '#components/screen-header.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { EmptyState, ErrorState } from '#components/state-panel.tsx'
import type { Album } from '#contract/gallery.ts'
import { nameIn, pickText } from '#contract/words.ts'
import { thumbnailUrl } from '#features/system/store.ts'
import { useOnline } from '#lib/online.ts'
import { useLanguage } from '#lib/use-language.ts'
import classes from './albums-screen.module.css'
import { useGallery } from './store.ts'

/** Whether an album opens without a network: said of those that do, and without a network also of those that do not. */
function KeptMark({ albumId }: { albumId: number }) {
  const { t } = useTranslation('gallery')
  const isKept = useGallery(state => state.keptIds?.has(albumId))
  const isOnline = useOnline(state => state.isOnline)
  if (isKept === undefined || (isOnline && !isKept)) return null
  return (
    <p className={classes.kept} data-missing={!isKept}>
      {isKept ? <IconCloudCheck size={24} aria-hidden /> : <IconCloudOff size={24} aria-hidden />}
      {t(isKept ? 'kept' : 'notKept')}
    </p>
  )
}

function AlbumCard({ album, isFirst }: { album: Album; isFirst: boolean }) {
  const { t } = useTranslation('gallery')
  const language = useLanguage()
  const description = pickText(language, album.description, album.description2)
  return (
    <li className={cards.card}>
      {album.thumbnailFileName && (
        <Picture src={thumbnailUrl(album.thumbnailFileName)} width={480} height={320} isFirst={isFirst} />
      )}
      <div className={cards.body}>
        <h2>{nameIn(language, album)}</h2>
        {description && <p>{description}</p>}
        {album.isIndividualCourse && <p className={classes.note}>{t('individualCourse')}</p>}
        <KeptMark albumId={album.id} />
        <Link href={`/photo-album/${album.id}`} className={classes.show}>
          <IconPhoto aria-hidden />
          {t('showPhotos')}
          <span className="visually-hidden">: {nameIn(language, album)}</span>
        </Link>
      </div>
    </li>
  )
}

/** The public albums for visitors, those of their own courses for everyone else. */
export function AlbumsScreen() {
  const { t } = useTranslation(['gallery', 'shell'])
  const { albums, photos, userName, phase, asOf, isStale, refresh, findKept } = useGallery()
  // biome-ignore lint/correctness/useExhaustiveDependencies: other albums, or the lists of their photos, have come
  useEffect(() => {
    findKept().catch(() => undefined)
  }, [albums, photos, findKept])
  return (
    <>
      <ScreenHeader title={t('shell:title.albums')} lead={t(userName === null ? 'lead' : 'leadOwn')} />
      {phase === 'loading' && <Skeleton rows={3} height={240} />}
      {phase === 'failed' && <ErrorState title={t('failed')} text={t('failedText')} onRetry={refresh} />}
      {phase === 'ready' && (
        <>
          <AsOfLine asOf={asOf} isStale={isStale} />
          {albums.length === 0 && (
            <EmptyState title={t('empty')} text={t(userName === null ? 'emptyText' : 'emptyOwnText')} />
          )}
          <ul className={cards.cards}>
            {albums.map((album, index) => (
              <AlbumCard key={album.id} album={album} isFirst={index === 0} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}
