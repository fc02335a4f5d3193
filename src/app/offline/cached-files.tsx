import { useTranslation } from 'react-i18next'
import { formatFileSize } from '#features/content/document-model.ts'
import { textsOfItem } from '#features/content/model.ts'
import { useContent } from '#features/content/resource.ts'
import type { CachedFile } from '#lib/cached-files.ts'
import { useLanguage } from '#lib/use-language.ts'
import { IconTrash } from '#ui/icons.ts'
import { IconButton, ListEntry, Stack, Text } from '#ui/layout.tsx'
import { useDayAndTime } from './use-day-and-time.ts'

const fileNameOf = (url: string) => decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '')

type Props = { title: string; empty: string; files: CachedFile[]; onDrop?: (url: string) => void }

/** List of cached documents with their size and age. Documents saved by the user can be deleted. */
export function CachedFiles({ title, empty, files, onDrop }: Props) {
  const { t } = useTranslation('offline')
  const language = useLanguage()
  const dayAndTime = useDayAndTime()
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
