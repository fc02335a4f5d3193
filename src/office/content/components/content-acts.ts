import { useTranslation } from 'react-i18next'
import type { EditablePageName } from '#contract/content-words.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listOfficeContent } from '#contract/office/content.ts'
import { api } from '#lib/api.ts'
import { type ActDraft, type ActRequest, type LabelledValue, startAct } from '#office/frame/act-store.ts'
import { AlbumFields, BecomesPublic, ItemFields, PageFields, PhotoFields } from './content-fields.tsx'

type Content = ResponseOf<typeof listOfficeContent>
export type EditableItem = Content['items'][number]
export type EditableAlbum = Content['albums'][number]
export type EditablePhoto = EditableAlbum['photos'][number] & { albumId: number; album: string }
export type EditablePage = { page: EditablePageName; text: string; text2: string; version: number | null }

/** Converts HTML to plain text on a single line, shortened. */
export const plainTextLine = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .trim()
    .slice(0, 80)

type Versioned = { id: number; version: number }

const readContent = () => api.listOfficeContent({ query: { limit: 500 } })
export const photosOf = (albums: readonly EditableAlbum[]): EditablePhoto[] =>
  albums.flatMap(({ id, name, photos }) => photos.map(photo => ({ ...photo, albumId: id, album: name })))

/** Finds the current version of an item in a list. @throws Error if it has been deleted */
function present<One extends { id: number }>(list: readonly One[], id: number): One {
  const found = list.find(one => one.id === id)
  if (!found) throw new Error('the item no longer exists')
  return found
}

/**
 * Returns functions that describe the values shown after a version conflict. HTML is shortened to a line of plain text.
 */
function useContentFacts() {
  const { t } = useTranslation('office-content')
  const factOf = (label: string, name: string, value: unknown): LabelledValue => ({
    label,
    name,
    value: plainTextLine(String(value ?? '')),
    say: text => plainTextLine(String(text)),
  })
  const both = (label: string, [first, second]: [string, string], values: object): LabelledValue[] => [
    factOf(t('in.de', { label }), first, Reflect.get(values, first)),
    factOf(t('in.en', { label }), second, Reflect.get(values, second)),
  ]
  return { factOf, both }
}

/** Actions that save content items, albums, photos and pages. If no item or album is given, a new one is created. */
export function useContentActs() {
  const { t } = useTranslation('office-content')
  const { factOf, both } = useContentFacts()

  const saveItem = (item?: EditableItem): ActRequest<'save-content'> => {
    const { sortOrder, fileName, pictureFileName, ...fields } = item ?? ({} as Partial<EditableItem>)
    return {
      // File names are removed, because the action refers to files by id.
      act: { contentType: 'HomeTop', ...fields, kind: 'save-content' } as ActDraft<'save-content'>,
      title: t(item ? 'item.change' : 'item.new'),
      ...(item && {
        about: `${t(`type.${item.contentType}`)}: ${plainTextLine(item.text1)}`,
        facts: [
          ...both(t('item.title'), ['text1', 'text3'], item),
          ...both(t('item.text'), ['text2', 'text4'], item),
          ...both(t('item.linkText'), ['linkText', 'linkText2'], item),
          factOf(t('item.link'), 'link', item.link),
          factOf(t('item.picture'), '', item.pictureFileName),
          factOf(t('item.document'), '', item.fileName),
        ],
        again: async () => saveItem(present((await readContent()).items, item.id)),
      }),
      confirm: t('save'),
      form: ItemFields,
    }
  }
  const saveAlbum = (album?: EditableAlbum): ActRequest<'save-album'> => {
    if (!album)
      return {
        act: { kind: 'save-album', name: '' },
        title: t('album.new'),
        confirm: t('save'),
        form: AlbumFields,
        missing: act => (act.name?.trim() ? [] : [t('album.name')]),
      }
    const { id, version, name, name2, description, description2, courseNumber } = album
    return {
      ...saveAlbum(),
      act: { kind: 'save-album', id, version, name, name2, description, description2, courseNumber },
      title: t('album.change'),
      details: BecomesPublic,
      facts: [
        ...both(t('album.name'), ['name', 'name2'], album),
        ...both(t('album.description'), ['description', 'description2'], album),
        factOf(t('album.course'), 'courseNumber', courseNumber),
      ],
      again: async () => saveAlbum(present((await readContent()).albums, id)),
    }
  }
  const addPhoto = (album: EditableAlbum): ActRequest<'save-photo'> => ({
    act: { kind: 'save-photo', albumId: album.id },
    title: t('photo.new'),
    about: album.name,
    confirm: t('save'),
    form: PhotoFields,
    missing: act => (act.fileId ? [] : [t('photo.file')]),
  })
  const savePage = ({ page, text, text2, version }: EditablePage): ActRequest<'save-page'> => ({
    act: { kind: 'save-page', page, text, text2, ...(version !== null && { version }) },
    title: t('page.change', { page: t(`pages.${page}`) }),
    about: t('page.hint'),
    confirm: t('save'),
    form: PageFields,
    facts: both(t('page.text'), ['text', 'text2'], { text, text2 }),
    again: async () =>
      savePage(
        (await readContent()).pages.find(own => own.page === page) ?? { page, text: '', text2: '', version: null },
      ),
  })
  return {
    saveItem: (item?: EditableItem) => startAct(saveItem(item)),
    saveAlbum: (album?: EditableAlbum) => startAct(saveAlbum(album)),
    addPhoto: (album: EditableAlbum) => startAct(addPhoto(album)),
    savePage: (page: EditablePage) => startAct(savePage(page)),
  }
}

/** Actions that remove a content item or move it within its list. */
export function useContentListActs() {
  const { t } = useTranslation('office-content')
  const remove = (
    what: 'content' | 'album' | 'photo',
    { id, version }: { id: number; version: number },
    about: string,
  ): ActRequest<'remove'> => ({
    act: { kind: 'remove', what, id, version },
    title: t(`remove.${what}`),
    about,
    confirm: t('remove.confirm'),
    facts: [{ label: t(`remove.${what}`), value: about }],
    again: async () => {
      const { items, albums } = await readContent()
      return remove(
        what,
        present<Versioned>({ content: items, album: albums, photo: photosOf(albums) }[what], id),
        about,
      )
    },
  })
  /** Moves an item to the position before another one, shifting the items in between. */
  const putBefore = (
    kind: 'save-content' | 'save-photo',
    { id, version }: { id: number; version: number },
    { sortOrder }: { sortOrder: number },
    about: string,
  ): ActRequest<typeof kind> => ({
    act: { kind, id, version, sortOrder },
    title: t('item.up'),
    about,
    facts: [{ label: t('item.up'), value: about }],
    again: async () => {
      const { items, albums } = await readContent()
      return putBefore(
        kind,
        present<Versioned>(kind === 'save-photo' ? photosOf(albums) : items, id),
        { sortOrder },
        about,
      )
    },
  })
  return {
    remove: (...what: Parameters<typeof remove>) => startAct(remove(...what)),
    putBefore: (...what: Parameters<typeof putBefore>) => startAct(putBefore(...what)),
  }
}
