import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'wouter'
import { formatDate, nameInLanguage, textInLanguage } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { photoUrl, thumbnailUrl } from '#features/system/resource.ts'
import { ApiError } from '#lib/api-error.ts'
import { usePageTitle } from '#lib/breadcrumb.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useIsTimeoutPending } from '#lib/use-now.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Columns, PictureCard, Text } from '#ui/layout.tsx'
import { Picture } from '#ui/picture.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { IconArrowLeft } from '#ui/shell-icons.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#ui/state-panel.tsx'
import { loadPhotos, useAlbums } from './resource.ts'
import { cachePhotos } from './store.ts'

/** How long the page waits for its title. */
const PATIENCE_MS = 2_000

/** The photos of one album; each opens in a new tab. */
export function PhotosScreen() {
  const albumId = Number(useParams().id)
  const { t } = useTranslation(['gallery', 'shell'])
  const language = useLanguage()
  const isChecked = useSession(state => state.phase !== 'checking')
  const useHeld = useAlbums()
  const album = useHeld(state => state.data.albums.find(({ id }) => id === albumId))
  const areAlbumsComing = useHeld(state => state.phase === 'loading')
  const photos = useHeld(state => state.data.photos[albumId])
  const [failure, setFailure] = useState<'none' | 'unreachable' | 'forbidden'>('none')
  const isLoggedIn = useSession(state => state.session !== null)
  const isPatient = useIsTimeoutPending(PATIENCE_MS)
  const name = album ? nameInLanguage(language, album) : null
  usePageTitle(name, '', `/photo-album/${albumId}`)

  const load = useCallback(() => {
    setFailure('none')
    loadPhotos(albumId).catch(error => {
      const isForbidden = error instanceof ApiError && [401, 403].includes(error.status)
      setFailure(isForbidden ? 'forbidden' : 'unreachable')
    })
  }, [albumId])
  useEffect(() => {
    if (!isChecked) return
    useHeld.load()
    load()
  }, [isChecked, useHeld, load])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the album's photos have arrived
  useEffect(() => {
    // If the disk is full or the device is offline, the photos are cached at the next visit to this page.
    cachePhotos(albumId).catch(() => undefined)
  }, [photos, albumId])

  // The photos are rendered together with the title to prevent a layout shift.
  const isNameComing = areAlbumsComing && !album && failure === 'none' && isPatient
  return (
    <>
      <ScreenHeader
        title={name ?? t('shell:title.photos')}
        lead={album && textInLanguage(language, album.description, album.description2)}
      >
        {!isNameComing && (
          <Text mt="l">
            <ButtonLink href="/photo-album" look="light">
              <IconArrowLeft /> {t('back')}
            </ButtonLink>
          </Text>
        )}
      </ScreenHeader>
      {!isNameComing && (
        <>
          {!photos && failure === 'none' && <Skeleton rows={2} height={220} />}
          {!photos && failure === 'unreachable' && <ErrorState title={t('photosFailed')} onRetry={load} />}
          {!photos && failure === 'forbidden' && (
            <EmptyState title={t('private')} text={t(isLoggedIn ? 'privateOther' : 'privateText')}>
              {!isLoggedIn && (
                <ButtonLink href={`/login?next=${encodeURIComponent(`/photo-album/${albumId}`)}`} look="primary">
                  {t('shell:nav.login')}
                </ButtonLink>
              )}
            </EmptyState>
          )}
          {photos?.length === 0 && <EmptyState title={t('noPhotos')} />}
          <Columns as="ul" dense gap="s">
            {photos?.map(({ fileName, shootingdate }, position) => (
              <li key={fileName}>
                <PictureCard as="a" href={photoUrl(fileName)} target="_blank" rel="noopener">
                  <Picture
                    src={thumbnailUrl(fileName)}
                    alt={t(shootingdate.year > 0 ? 'photo' : 'photoUndated', {
                      position: position + 1,
                      count: photos.length,
                      date: formatDate(shootingdate),
                    })}
                    width={480}
                    height={320}
                    isFirst={position < 6}
                  />
                </PictureCard>
              </li>
            ))}
          </Columns>
        </>
      )}
    </>
  )
}
