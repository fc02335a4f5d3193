import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Album } from '#contract/endpoints/gallery.ts'
import { nameInLanguage, textInLanguage } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { thumbnailUrl } from '#features/system/resource.ts'
import { useOnline } from '#lib/online.ts'
import { useLanguage } from '#lib/use-language.ts'
import { AsOfLine } from '#ui/as-of-line.tsx'
import { IconCloudCheck, IconPhoto } from '#ui/icons.ts'
import { ActionLink, CardBody, Columns, PictureCard, Tag } from '#ui/layout.tsx'
import { Picture } from '#ui/picture.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { IconCloudOff } from '#ui/shell-icons.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#ui/state-panel.tsx'
import { styles } from '#ui/styles.ts'
import { useAlbums } from './resource.ts'
import { refreshCachedAlbums, useCachedAlbums } from './store.ts'

/** Whether an album is available offline. Unavailable albums are marked only while the device is offline. */
function KeptMark({ albumId }: { albumId: number }) {
  const { t } = useTranslation('gallery')
  const isKept = useCachedAlbums(state => state.ids?.has(albumId))
  const isOnline = useOnline(state => state.isOnline)
  if (isKept === undefined || (isOnline && !isKept)) return null
  return (
    <ActionLink as="p" tone={isKept ? undefined : 'muted'} data-missing={!isKept}>
      {isKept ? <IconCloudCheck size={24} /> : <IconCloudOff size={24} />}
      {t(isKept ? 'kept' : 'notKept')}
    </ActionLink>
  )
}

function AlbumCard({ album, isFirst }: { album: Album; isFirst: boolean }) {
  const { t } = useTranslation('gallery')
  const language = useLanguage()
  const description = textInLanguage(language, album.description, album.description2)
  return (
    <PictureCard>
      {album.thumbnailFileName && (
        <Picture src={thumbnailUrl(album.thumbnailFileName)} width={480} height={320} isFirst={isFirst} />
      )}
      <CardBody flush>
        <h2>{nameInLanguage(language, album)}</h2>
        {description && <p>{description}</p>}
        {album.isIndividualCourse && <Tag as="p">{t('individualCourse')}</Tag>}
        <KeptMark albumId={album.id} />
        <Link href={`/photo-album/${album.id}`} className={styles({ base: 'actionLink', mt: 'auto', cover: true })}>
          <IconPhoto />
          {t('showPhotos')}
          <span className="visually-hidden">: {nameInLanguage(language, album)}</span>
        </Link>
      </CardBody>
    </PictureCard>
  )
}

/** Albums: the public ones for visitors; for logged-in users, those of their own courses. */
export function AlbumsScreen() {
  const { t } = useTranslation(['gallery', 'shell'])
  const isChecked = useSession(state => state.phase !== 'checking')
  const isVisitor = useSession(state => state.session === null)
  const useHeld = useAlbums()
  const { data, phase, asOf, isStale } = useHeld()
  useEffect(() => {
    if (isChecked) useHeld.load()
  }, [isChecked, useHeld])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when albums or their photo lists have arrived
  useEffect(() => {
    // If this fails, no album is marked as available offline.
    refreshCachedAlbums().catch(() => undefined)
  }, [data])
  return (
    <>
      <ScreenHeader title={t('shell:title.albums')} lead={t(isVisitor ? 'lead' : 'leadOwn')} />
      {phase === 'loading' && <Skeleton rows={3} height={240} />}
      {phase === 'failed' && <ErrorState title={t('failed')} text={t('failedText')} onRetry={useHeld.load} />}
      {phase === 'ready' && (
        <>
          <AsOfLine asOf={asOf} isStale={isStale} />
          {data.albums.length === 0 && (
            <EmptyState title={t('empty')} text={t(isVisitor ? 'emptyText' : 'emptyOwnText')} />
          )}
          <Columns as="ul" gap="l">
            {data.albums.map((album, index) => (
              <AlbumCard key={album.id} album={album} isFirst={index === 0} />
            ))}
          </Columns>
        </>
      )}
    </>
  )
}
