import { useTranslation } from 'react-i18next'
import { EDITABLE_PAGES } from '#contract/content-words.ts'
import { DeskPage } from '#features/office/components/desk-page.tsx'
import { DeskTable, type DeskTableProps } from '#features/office/components/desk-table.tsx'
import { ReadingState } from '#features/office/components/reading-state.tsx'
import type { Column } from '#features/office/components/table-cells.tsx'
import { useResource } from '#lib/resource.ts'
import { Button } from '#ui/button.tsx'
import {
  type Album,
  type EditablePage,
  type Item,
  type Photo,
  photosOf,
  plainTextLine,
  useContentActs,
} from './components/content-acts.ts'

type Ordered = { id: number; version: number; sortOrder: number }

export function ContentScreen() {
  const { t } = useTranslation('office-content')
  const reading = useResource('listOfficeContent', { query: { limit: 500 } })
  const acts = useContentActs()
  const { data } = reading
  const itemColumns: Column<Item>[] = [
    { key: 'type', label: t('item.type'), value: ({ contentType }) => t(`type.${contentType}`) },
    { key: 'order', label: t('item.order'), value: ({ sortOrder }) => sortOrder, isWideOnly: true },
    { key: 'text', label: t('item.title'), value: ({ text1 }) => plainTextLine(text1), isName: true },
    {
      key: 'files',
      label: t('item.files'),
      value: ({ pictureFileName, fileName }) => [pictureFileName, fileName].filter(Boolean).join(', '),
      isWideOnly: true,
      isCut: true,
    },
  ]
  const albumColumns: Column<Album>[] = [
    { key: 'name', label: t('album.name'), value: ({ name }) => name, isName: true },
    { key: 'course', label: t('album.course'), value: ({ courseNumber }) => courseNumber || t('album.public') },
    { key: 'photos', label: t('album.photos'), value: ({ photos }) => photos.length },
  ]
  const photoColumns: Column<Photo>[] = [
    { key: 'album', label: t('photo.album'), value: ({ album }) => album },
    { key: 'file', label: t('photo.file'), value: ({ fileName }) => fileName, isName: true },
    { key: 'order', label: t('item.order'), value: ({ sortOrder }) => sortOrder },
  ]
  const pageColumns: Column<EditablePage>[] = [
    { key: 'page', label: t('page.page'), value: ({ page }) => t(`pages.${page}`), isName: true },
    {
      key: 'state',
      label: t('page.state'),
      value: ({ text, text2 }) => t(text || text2 ? 'page.own' : 'page.builtIn'),
    },
  ]
  if (data === null)
    return (
      <DeskPage title={t('title')} lead={t('lead')}>
        <ReadingState reading={reading} />
      </DeskPage>
    )
  const pages = EDITABLE_PAGES.map(
    (page): EditablePage => data.pages.find(own => own.page === page) ?? { page, text: '', text2: '', version: null },
  )
  const photos = photosOf(data.albums)
  const items = data.items.toSorted((a, b) => a.contentType.localeCompare(b.contentType) || a.sortOrder - b.sortOrder)
  /** @param isBeside whether another item is in the same list, within which the item moves up */
  const up = <One extends Ordered>(
    kind: 'save-content' | 'save-photo',
    list: readonly One[],
    one: One,
    name: string,
    isBeside: (other: One) => boolean,
  ) => {
    const before = list.slice(0, list.indexOf(one)).findLast(isBeside)
    return (
      before && (
        <Button
          look="text"
          aria-label={`${t('item.up')}: ${name}`}
          onClick={() => acts.putBefore(kind, one, before, name)}
        >
          {t('item.up')}
        </Button>
      )
    )
  }
  const change = (open: () => void) => (
    <Button look="text" onClick={open}>
      {t('change')}
    </Button>
  )
  const remove = (...what: Parameters<typeof acts.remove>) => (
    <Button look="text" onClick={() => acts.remove(...what)}>
      {t('remove.confirm')}
    </Button>
  )
  return (
    <DeskPage
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <Button look="primary" onClick={() => acts.saveItem()}>
            {t('item.new')}
          </Button>
          <Button look="quiet" onClick={() => acts.saveAlbum()}>
            {t('album.new')}
          </Button>
        </>
      }
    >
      <Part
        caption={t('pages.title')}
        name="p"
        hasNoSearch
        columns={pageColumns}
        rows={pages}
        idOf={({ page }) => page}
        actions={page => change(() => acts.savePage(page))}
      />
      <Part
        caption={t('items')}
        columns={itemColumns}
        rows={items}
        idOf={({ id }) => id}
        actions={item => (
          <>
            {up(
              'save-content',
              items,
              item,
              plainTextLine(item.text1),
              other => other.contentType === item.contentType,
            )}
            {change(() => acts.saveItem(item))}
            {remove('content', item, plainTextLine(item.text1))}
          </>
        )}
      />
      <Part
        caption={t('albums')}
        name="a"
        hasNoSearch
        columns={albumColumns}
        rows={data.albums}
        idOf={({ id }) => id}
        actions={album => (
          <>
            <Button look="text" onClick={() => acts.addPhoto(album)}>
              {t('photo.new')}
            </Button>
            {change(() => acts.saveAlbum(album))}
            {remove('album', album, album.name)}
          </>
        )}
      />
      <Part
        caption={t('photos')}
        name="f"
        columns={photoColumns}
        rows={photos}
        idOf={({ id }) => id}
        actions={photo => (
          <>
            {up('save-photo', photos, photo, photo.fileName, other => other.albumId === photo.albumId)}
            {remove('photo', photo, photo.fileName)}
          </>
        )}
      />
    </DeskPage>
  )
}

/** Section of the screen: a heading and a list of content items. */
const Part = <Row,>(props: DeskTableProps<Row>) => (
  <>
    <h2>{props.caption}</h2>
    <DeskTable {...props} />
  </>
)
