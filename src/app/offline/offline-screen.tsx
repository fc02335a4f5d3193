import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { ConfirmDialog } from '#components/confirm-dialog.tsx'
import { Stack, Text } from '#components/layout.tsx'
import { ScreenHeader } from '#components/screen-header.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { formatSize } from '#features/content/document-model.ts'
import { useOfflineDocuments } from '#features/content/offline-store.ts'
import { useSearchCriteria } from '#features/courses/search-criteria-store.ts'
import { type CachedFile, deleteCachedFiles, type FileCache, hasFileCaches, listFiles } from '#lib/cached-files.ts'
import { deleteSnapshots } from '#lib/screen-snapshots.ts'
import { clearStores } from '#lib/storage.ts'
import { CachedFiles } from './cached-files.tsx'
import { MissingDocument } from './missing-document.tsx'
import { StoredData } from './stored-data.tsx'

const PICTURES: FileCache[] = ['pictures', 'pictures-own']
const CACHES: FileCache[] = ['documents-kept', 'documents-flyers', 'documents', ...PICTURES]
type Files = Record<'documents-kept' | 'documents-flyers' | 'documents' | 'pictures', CachedFile[]>

async function readFiles(): Promise<Files> {
  const [kept = [], flyers = [], opened = [], ...pictures] = await Promise.all(CACHES.map(listFiles))
  return { 'documents-kept': kept, 'documents-flyers': flyers, documents: opened, pictures: pictures.flat() }
}

/** Offline data of this device: size, age, and deletion. */
export function OfflineScreen() {
  const { t } = useTranslation(['offline', 'shell'])
  /** null: not read yet */
  const [held, setHeld] = useState<{ files: Files | null; usage: StorageEstimate | null } | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const loadMarks = useOfflineDocuments(state => state.load)

  const read = useCallback(async () => {
    // null: unsupported by the browser; the screen omits it.
    const files = await readFiles().catch(() => null)
    // The storage quota may be unavailable as well.
    const usage = (await navigator.storage?.estimate?.().catch(() => null)) ?? null
    setHeld({ files, usage })
    await loadMarks()
  }, [loadMarks])
  useEffect(() => {
    read()
  }, [read])

  const drop = async (name: FileCache, url?: string) => {
    await deleteCachedFiles(name, url === undefined ? undefined : address => address === url)
    await read()
  }
  const dropPictures = async () => {
    for (const name of PICTURES) await deleteCachedFiles(name)
    await read()
  }
  const dropAll = async () => {
    setIsAsking(false)
    await Promise.all([...CACHES.map(name => deleteCachedFiles(name)), clearStores(), deleteSnapshots()])
    useSearchCriteria.getState().forget()
    await read()
  }
  const { files = null, usage = null } = held ?? {}
  return (
    <>
      <ScreenHeader title={t('shell:title.offline')} lead={t('lead')}>
        {(!held || usage?.usage !== undefined) && (
          <Text variant="name" mt="l">
            {usage?.usage === undefined
              ? '\u00a0'
              : t('usage', { used: formatSize(usage.usage), quota: formatSize(usage.quota ?? 0) })}
          </Text>
        )}
      </ScreenHeader>
      <MissingDocument />
      {!held && <Skeleton rows={6} />}
      {held && <StoredData />}
      {!hasFileCaches() && <p>{t('noCaches')}</p>}
      {files && (
        <>
          <CachedFiles
            title={t('marked')}
            empty={t('markedEmpty')}
            files={files['documents-kept']}
            onDrop={url => drop('documents-kept', url)}
          />
          <CachedFiles title={t('flyers')} empty={t('flyersEmpty')} files={files['documents-flyers']} />
          <CachedFiles
            title={t('opened')}
            empty={t('openedEmpty')}
            files={files.documents}
            onDrop={url => drop('documents', url)}
          />
          <Stack as="section" flush mb="xl" align="start">
            <h2>{t('pictures')}</h2>
            <p>
              {t('pictureCount', {
                count: files.pictures.length,
                size: formatSize(files.pictures.reduce((sum, { size }) => sum + size, 0)),
              })}
            </p>
            {files.pictures.length > 0 && (
              <Button look="ghost" onClick={dropPictures}>
                {t('dropPictures')}
              </Button>
            )}
          </Stack>
        </>
      )}
      {held && (
        <Button look="ghost" onClick={() => setIsAsking(true)}>
          {t('dropAll')}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('dropAll')}
          text={t('dropAllText')}
          confirmLabel={t('dropAllConfirm')}
          cancelLabel={t('dropAllCancel')}
          onConfirm={dropAll}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
