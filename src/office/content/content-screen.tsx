import { useTranslation } from 'react-i18next'
import { EDITABLE_PAGES } from '#contract/content-words.ts'
import { useResource } from '#lib/resource.ts'
import type { ActRequest } from '#office/frame/act-store.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { OfficeTable, type OfficeTableProps } from '#office/frame/components/office-table.tsx'
import type { Column } from '#office/frame/components/table-cells.tsx'
import {
  addPhoto,
  type EditableAlbum,
  type EditableItem,
  type EditablePage,
  type EditablePhoto,
  photosOf,
  plainTextLine,
  putBefore,
  removeContent,
  saveAlbum,
  saveItem,
  savePage,
} from './components/content-acts.ts'

export function ContentScreen() {
  const { t } = useTranslation('office-content')
  const reading = useResource('listOfficeContent', { query: { limit: 500 } })
  const { data } = reading
  if (data === null)
    return (
      <OfficePage title={t('title')} lead={t('lead')}>
        <LoadingState reading={reading} />
      </OfficePage>
    )
  const pages = EDITABLE_PAGES.map(
    (page): EditablePage => data.pages.find(own => own.page === page) ?? { page, text: '', text2: '', version: null },
  )
  const items = data.items.toSorted((a, b) => a.contentType.localeCompare(b.contentType) || a.sortOrder - b.sortOrder)
  return (
    <OfficePage
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <ActButton look="primary" begin={() => saveItem()} />
          <ActButton look="quiet" begin={() => saveAlbum()} />
        </>
      }
    >
      <PageList pages={pages} />
      <ItemList items={items} />
      <AlbumList albums={data.albums} />
      <PhotoList photos={photosOf(data.albums)} />
    </OfficePage>
  )
}

/** Section of the screen: a heading and a list of content items. */
const Part = <Row,>(props: OfficeTableProps<Row>) => (
  <>
    <h2>{props.caption}</h2>
    <OfficeTable {...props} />
  </>
)

/** Legal pages, whose built-in text can be replaced. */
function PageList({ pages }: { pages: readonly EditablePage[] }) {
  const { t } = useTranslation('office-content')
  const stateOf = ({ text, text2 }: EditablePage) => t(text || text2 ? 'page.own' : 'page.builtIn')
  const columns: Column<EditablePage>[] = [
    { key: 'page', label: t('page.page'), value: ({ page }) => t(`pages.${page}`), isName: true },
    {
      key: 'state',
      label: t('page.state'),
      value: stateOf,
      fold: stateOf,
    },
  ]
  return (
    <Part
      caption={t('pages.title')}
      name="p"
      hasNoSearch
      columns={columns}
      rows={pages}
      idOf={({ page }) => page}
      actions={page => <ActButton begin={() => savePage(page)}>{t('change')}</ActButton>}
    />
  )
}

/** News, flyers and the other items of the start page. */
function ItemList({ items }: { items: readonly EditableItem[] }) {
  const { t } = useTranslation('office-content')
  const typeOf = ({ contentType }: EditableItem) => t(`type.${contentType}`)
  const columns: Column<EditableItem>[] = [
    { key: 'type', label: t('item.type'), value: typeOf, fold: typeOf },
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
  return (
    <Part
      caption={t('items')}
      columns={columns}
      rows={items}
      idOf={({ id }) => id}
      actions={item => (
        <>
          <MoveUp
            name={plainTextLine(item.text1)}
            before={itemBefore(items, item, other => other.contentType === item.contentType)}
            toMoved={before => putBefore('content', item, before, plainTextLine(item.text1))}
          />
          <ActButton begin={() => saveItem(item)}>{t('change')}</ActButton>
          <ActButton begin={() => removeContent('content', item, plainTextLine(item.text1))}>
            {t('remove.confirm')}
          </ActButton>
        </>
      )}
    />
  )
}

/** Photo albums. */
function AlbumList({ albums }: { albums: readonly EditableAlbum[] }) {
  const { t } = useTranslation('office-content')
  const courseOf = ({ courseNumber }: EditableAlbum) => courseNumber || t('album.public')
  const columns: Column<EditableAlbum>[] = [
    { key: 'name', label: t('album.name'), value: ({ name }) => name, isName: true },
    {
      key: 'course',
      label: t('album.course'),
      value: courseOf,
      fold: courseOf,
    },
    { key: 'photos', label: t('album.photos'), value: ({ photos }) => photos.length },
  ]
  return (
    <Part
      caption={t('albums')}
      name="a"
      hasNoSearch
      columns={columns}
      rows={albums}
      idOf={({ id }) => id}
      actions={album => (
        <>
          <ActButton begin={() => addPhoto(album)} />
          <ActButton begin={() => saveAlbum(album)}>{t('change')}</ActButton>
          <ActButton begin={() => removeContent('album', album, album.name)}>{t('remove.confirm')}</ActButton>
        </>
      )}
    />
  )
}

/** Photos of all albums. */
function PhotoList({ photos }: { photos: readonly EditablePhoto[] }) {
  const { t } = useTranslation('office-content')
  const columns: Column<EditablePhoto>[] = [
    { key: 'album', label: t('photo.album'), value: ({ album }) => album, fold: ({ album }) => album },
    { key: 'file', label: t('photo.file'), value: ({ fileName }) => fileName, isName: true },
    { key: 'order', label: t('item.order'), value: ({ sortOrder }) => sortOrder },
  ]
  return (
    <Part
      caption={t('photos')}
      name="f"
      columns={columns}
      rows={photos}
      idOf={({ id }) => id}
      actions={photo => (
        <>
          <MoveUp
            name={photo.fileName}
            before={itemBefore(photos, photo, other => other.albumId === photo.albumId)}
            toMoved={before => putBefore('photo', photo, before, photo.fileName)}
          />
          <ActButton begin={() => removeContent('photo', photo, photo.fileName)}>{t('remove.confirm')}</ActButton>
        </>
      )}
    />
  )
}

/**
 * The item that directly precedes `one` in its list.
 * @param isBeside whether an item is in the same list as `one`, such as the photos of one album
 */
const itemBefore = <One,>(list: readonly One[], one: One, isBeside: (other: One) => boolean): One | undefined =>
  list.slice(0, list.indexOf(one)).findLast(isBeside)

type MoveUpProps<One> = {
  name: string
  before: One | undefined
  toMoved: (before: One) => ActRequest<'save-content' | 'save-photo'>
}

/** Button that moves an item before the previous one in its list. Not rendered for the first item. */
function MoveUp<One>({ name, before, toMoved }: MoveUpProps<One>) {
  const { t } = useTranslation('office-content')
  return before && <ActButton aria-label={`${t('item.up')}: ${name}`} begin={() => toMoved(before)} />
}
