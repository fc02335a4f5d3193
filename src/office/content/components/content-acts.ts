import i18next from 'i18next'
import type { EditablePageName } from '#contract/content-words.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listOfficeContent } from '#contract/office/content.ts'
import { api } from '#lib/api.ts'
import { type ActDraft, type ActRequest, type LabelledValue, requestsOn } from '#office/frame/act-store.ts'
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

const t = i18next.getFixedT(null, 'office-content')

const readContent = () => api.listOfficeContent({ query: { limit: 500 } })
export const photosOf = (albums: readonly EditableAlbum[]): EditablePhoto[] =>
  albums.flatMap(({ id, name, photos }) => photos.map(photo => ({ ...photo, albumId: id, album: name })))

/** Finds the current version of an item in a list. @throws Error if it has been deleted */
function present<One extends { id: number }>(list: readonly One[], id: number): One {
  const found = list.find(one => one.id === id)
  if (!found) throw new Error('the item no longer exists')
  return found
}

// Values shown after a version conflict. HTML is shortened to a line of plain text.
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

/** Without an item, a new one is created. */
export const saveItem = (item?: EditableItem): ActRequest<'save-content'> => {
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

/** Without an album, a new one is created. */
export const saveAlbum = (album?: EditableAlbum): ActRequest<'save-album'> => {
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

export const addPhoto = (album: EditableAlbum): ActRequest<'save-photo'> => ({
  act: { kind: 'save-photo', albumId: album.id },
  title: t('photo.new'),
  about: album.name,
  confirm: t('save'),
  form: PhotoFields,
  missing: act => (act.fileId ? [] : [t('photo.file')]),
})

export const savePage = ({ page, text, text2, version }: EditablePage): ActRequest<'save-page'> => ({
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

type Removable = { id: number; version: number }
type Movable = Removable & { sortOrder: number }
const LISTS = {
  content: ({ items }: Content) => items,
  album: ({ albums }: Content): Removable[] => albums,
  photo: ({ albums }: Content) => photosOf(albums),
}

export const removeContent = (what: keyof typeof LISTS, row: Removable, about: string) =>
  requestsOn(
    () => [{ label: t(`remove.${what}`), value: about }],
    async ({ id }: Removable) => present<Removable>(LISTS[what](await readContent()), id),
  )<'remove'>(row, ({ id, version }) => ({
    act: { kind: 'remove', what, id, version },
    title: t(`remove.${what}`),
    about,
    confirm: t('remove.confirm'),
  }))

/** Moves an item or a photo to the position before another one, shifting those in between. */
export const putBefore = (what: 'content' | 'photo', row: Movable, { sortOrder }: Movable, about: string) =>
  requestsOn(
    () => [{ label: t('item.up'), value: about }],
    async ({ id }: Removable) => present<Removable>(LISTS[what](await readContent()), id),
  )<'save-content' | 'save-photo'>(row, ({ id, version }) => ({
    act: { kind: `save-${what}`, id, version, sortOrder },
    title: t('item.up'),
    about,
  }))
