import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFileSize } from '#features/content/document-model.ts'
import { textsOfItem } from '#features/content/model.ts'
import { useOfflineDocuments } from '#features/content/offline-store.ts'
import { useContent } from '#features/content/resource.ts'
import { useSearchCriteria } from '#features/courses/search/search-criteria-store.ts'
import {
  type CachedFile,
  deleteCachedFiles,
  type FileCache,
  hasFileCaches,
  listCachedFiles,
} from '#lib/cached-files.ts'
import { decodeComponent } from '#lib/decode-component.ts'
import { deleteSnapshots } from '#lib/screen-snapshots.ts'
import { clearStores } from '#lib/storage.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { IconTrash } from '#ui/icons.ts'
import { Card, IconButton, ListEntry, Stack, Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { StoredData } from './stored-data.tsx'
import { useAsOfFormatter } from './use-as-of-formatter.ts'

/** Matches published documents. The URL is untrusted, so nothing else may be opened from here. */
const DOCUMENT = /^\/content\/[^/\\]+$/

const PHOTO = /^\/(?:photos|thumbnails)\/[^/\\]+$/

/** Offline page for a document or photo that is not cached. It shows the file's name. */
function MissingDocument() {
  const { t } = useTranslation('offline')
  const language = useLanguage()
  const items = useContent(state => state.data.items)
  const search = new URLSearchParams(useQueryString())
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
  const fileName = fileNameOf(path)
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

const PICTURES: FileCache[] = ['pictures', 'pictures-own']
const CACHES: FileCache[] = ['documents-kept', 'documents-flyers', 'documents', ...PICTURES]
type Files = Record<'documents-kept' | 'documents-flyers' | 'documents' | 'pictures', CachedFile[]>

async function readFiles(): Promise<Files> {
  const [kept = [], flyers = [], opened = [], ...pictures] = await Promise.all(CACHES.map(listCachedFiles))
  return { 'documents-kept': kept, 'documents-flyers': flyers, documents: opened, pictures: pictures.flat() }
}

function CachedPictures({ files, onDrop }: { files: CachedFile[]; onDrop: () => void }) {
  const { t } = useTranslation('offline')
  return (
    <Stack as="section" flush mb="xl" align="start">
      <h2>{t('pictures')}</h2>
      <p>
        {t('pictureCount', {
          count: files.length,
          size: formatFileSize(files.reduce((sum, { size }) => sum + size, 0)),
        })}
      </p>
      {files.length > 0 && (
        <Button look="ghost" onClick={onDrop}>
          {t('dropPictures')}
        </Button>
      )}
    </Stack>
  )
}

/** Offline data on this device, with its size and age, and the option to delete it. */
export function OfflineScreen() {
  const { t } = useTranslation(['offline', 'shell'])
  /** null until the data has been read */
  const [held, setHeld] = useState<{ files: Files | null; usage: StorageEstimate | null } | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const loadMarks = useOfflineDocuments(state => state.load)

  const read = useCallback(async () => {
    // null if the files cannot be read
    const files = await readFiles().catch(() => null)
    // The storage estimate may be unavailable as well; the screen then omits it.
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
              : t('usage', { used: formatFileSize(usage.usage), quota: formatFileSize(usage.quota ?? 0) })}
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
          <CachedPictures files={files.pictures} onDrop={dropPictures} />
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

/** The name of the file at a URL. */
function fileNameOf(url: string): string {
  return decodeComponent(new URL(url, window.location.href).pathname.split('/').at(-1) ?? '')
}

type Props = { title: string; empty: string; files: CachedFile[]; onDrop?: (url: string) => void }

/** List of cached documents with their size and age. Documents saved by the user can be deleted. */
function CachedFiles({ title, empty, files, onDrop }: Props) {
  const { t } = useTranslation('offline')
  const language = useLanguage()
  const dayAndTime = useAsOfFormatter()
  const items = useContent(state => state.data.items)
  const nameOf = (url: string) => {
    const fileName = fileNameOf(url)
    const item = items.find(other => other.fileName === fileName)
    return item ? textsOfItem(item, language).title : fileName
  }
  return (
    <Stack as="section" gap="s" flush mb="xl">
      <h2>{title}</h2>
      {files.length === 0 && <Text tone="muted">{empty}</Text>}
      <Stack as="ul" gap="s">
        {files.map(({ url, size, storedAt }) => (
          <ListEntry key={url}>
            <Text as="span" size="s" grow>
              <Text as="a" href={url} variant="name" target="_blank" rel="noopener">
                {nameOf(url)}
              </Text>
              {formatFileSize(size)}
              {storedAt !== null && ` · ${dayAndTime(storedAt)}`}
            </Text>
            {onDrop && (
              <IconButton type="button" onClick={() => onDrop(url)} aria-label={t('drop', { title: nameOf(url) })}>
                <IconTrash />
              </IconButton>
            )}
          </ListEntry>
        ))}
      </Stack>
    </Stack>
  )
}
