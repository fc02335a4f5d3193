import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { ChoiceField } from '#components/choice-field.tsx'
import { TextField } from '#components/text-field.tsx'
import { CONTENT_TYPES, PAGES, type Page } from '#contract/content.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { listOfficeContent } from '#contract/office-content.ts'
import { type ActRequest, type Draft, startAct } from '#features/office/act-store.ts'
import { DeskPage } from '#features/office/components/desk-page.tsx'
import { type Column, DeskTable } from '#features/office/components/desk-table.tsx'
import { ReadingState } from '#features/office/components/reading-state.tsx'
import { useRead } from '#features/office/use-read.ts'
import { FileField } from './components/file-field.tsx'
import { TwoTexts } from './components/two-texts.tsx'

type Content = ResponseOf<typeof listOfficeContent>
type Item = Content['items'][number]
type Album = Content['albums'][number]
type Photo = Album['photos'][number] & { albumId: number; album: string }
type OwnPage = { page: Page; text: string; text2: string; version: number | null }
type Fields<Kind extends 'save-content' | 'save-album' | 'save-photo' | 'save-page'> = {
  act: Draft<Kind>
  change(fields: Partial<Draft<Kind>>): void
}

const PICTURES = '.jpg,.jpeg,.png,.webp,.avif,.svg'
const DOCUMENTS = `.pdf,.docx,.xlsx,.ics,${PICTURES}`
const wordsOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .trim()
    .slice(0, 80)

function ItemFields({ act, change }: Fields<'save-content'>) {
  const { t } = useTranslation('office-content')
  const { text1 = '', text2 = '', text3 = '', text4 = '', linkText = '', linkText2 = '', link = '' } = act
  return (
    <>
      <ChoiceField
        name="contentType"
        label={t('item.type')}
        value={act.contentType ?? ''}
        options={CONTENT_TYPES.map(type => ({ value: type, label: t(`type.${type}`) }))}
        onChange={contentType => change({ contentType })}
      />
      <TwoTexts
        label={t('item.title')}
        values={[text1, text3]}
        onChange={([text1, text3]) => change({ text1, text3 })}
        isHtml
      />
      <TwoTexts
        label={t('item.text')}
        values={[text2, text4]}
        onChange={([text2, text4]) => change({ text2, text4 })}
        isHtml
      />
      <TwoTexts
        label={t('item.linkText')}
        rows={1}
        values={[linkText, linkText2]}
        onChange={([linkText, linkText2]) => change({ linkText, linkText2 })}
      />
      <TextField label={t('item.link')} hint={t('item.linkHint')} value={link} onChange={link => change({ link })} />
      <FileField label={t('item.picture')} accept={PICTURES} onUploaded={pictureFileId => change({ pictureFileId })} />
      <FileField label={t('item.document')} accept={DOCUMENTS} onUploaded={fileId => change({ fileId })} />
    </>
  )
}

function AlbumFields({ act, change }: Fields<'save-album'>) {
  const { t } = useTranslation('office-content')
  const { name = '', name2 = '', description = '', description2 = '', courseNumber = '' } = act
  return (
    <>
      <TwoTexts
        label={t('album.name')}
        rows={1}
        values={[name, name2]}
        onChange={([name, name2]) => change({ name, name2 })}
      />
      <TwoTexts
        label={t('album.description')}
        values={[description, description2]}
        onChange={([description, description2]) => change({ description, description2 })}
      />
      <TextField
        label={t('album.course')}
        hint={t('album.courseHint')}
        value={courseNumber}
        onChange={courseNumber => change({ courseNumber })}
      />
      <FileField label={t('album.thumbnail')} accept={PICTURES} onUploaded={fileId => change({ fileId })} />
    </>
  )
}

function PhotoFields({ change }: Fields<'save-photo'>) {
  const { t } = useTranslation('office-content')
  return <FileField label={t('photo.file')} accept={PICTURES} onUploaded={fileId => change({ fileId })} />
}

function PageFields({ act, change }: Fields<'save-page'>) {
  const { t } = useTranslation('office-content')
  const { text = '', text2 = '' } = act
  return (
    <TwoTexts
      label={t('page.text')}
      rows={10}
      values={[text, text2]}
      onChange={([text, text2]) => change({ text, text2 })}
      isHtml
    />
  )
}

/** Without the names of files, which an act gets by their ids. */
const draftOf = ({ sortOrder, fileName, pictureFileName, ...fields }: Item): Draft<'save-content'> => ({
  kind: 'save-content',
  ...fields,
})

/** What the portal shows beside the programme. */
export function ContentScreen() {
  const { t } = useTranslation('office-content')
  const reading = useRead(listOfficeContent, { query: { limit: 500 } })
  const saveItem = (item?: Item): ActRequest<'save-content'> => ({
    act: item ? draftOf(item) : { kind: 'save-content', contentType: 'HomeTop' },
    title: t(item ? 'item.change' : 'item.new'),
    ...(item && { about: `${t(`type.${item.contentType}`)}: ${wordsOf(item.text1)}` }),
    confirm: t('save'),
    form: ItemFields,
  })
  const saveAlbum = (album?: Album): ActRequest<'save-album'> => ({
    act: album
      ? {
          kind: 'save-album',
          id: album.id,
          version: album.version,
          name: album.name,
          name2: album.name2,
          description: album.description,
          description2: album.description2,
          courseNumber: album.courseNumber,
        }
      : { kind: 'save-album', name: '' },
    title: t(album ? 'album.change' : 'album.new'),
    confirm: t('save'),
    form: AlbumFields,
    isReady: act => Boolean(act.name?.trim()),
  })
  const addPhoto = (album: Album): ActRequest<'save-photo'> => ({
    act: { kind: 'save-photo', albumId: album.id },
    title: t('photo.new'),
    about: album.name,
    confirm: t('save'),
    form: PhotoFields,
    isReady: act => Boolean(act.fileId),
  })
  const savePage = ({ page, text, text2, version }: OwnPage): ActRequest<'save-page'> => ({
    act: { kind: 'save-page', page, text, text2, ...(version !== null && { version }) },
    title: t('page.change', { page: t(`pages.${page}`) }),
    about: t('page.hint'),
    confirm: t('save'),
    form: PageFields,
  })
  const remove = (
    what: 'content' | 'album' | 'photo',
    { id, version }: { id: number; version: number },
    about: string,
  ): ActRequest<'remove'> => ({
    act: { kind: 'remove', what, id, version },
    title: t(`remove.${what}`),
    about,
    confirm: t('remove.confirm'),
  })
  const { data } = reading
  const itemColumns: Column<Item>[] = [
    { key: 'type', label: t('item.type'), value: ({ contentType }) => t(`type.${contentType}`) },
    { key: 'order', label: t('item.order'), value: ({ sortOrder }) => sortOrder, isWideOnly: true },
    { key: 'text', label: t('item.title'), value: ({ text1 }) => wordsOf(text1), isName: true },
    {
      key: 'files',
      label: t('item.files'),
      value: ({ pictureFileName, fileName }) => [pictureFileName, fileName].filter(Boolean).join(', '),
      isWideOnly: true,
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
  const pageColumns: Column<OwnPage>[] = [
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
  const pages = PAGES.map(
    (page): OwnPage => data.pages.find(own => own.page === page) ?? { page, text: '', text2: '', version: null },
  )
  const photos = data.albums.flatMap(({ id, name, photos }) =>
    photos.map((photo): Photo => ({ ...photo, albumId: id, album: name })),
  )
  return (
    <DeskPage
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <Button look="primary" onClick={() => startAct(saveItem())}>
            {t('item.new')}
          </Button>
          <Button look="quiet" onClick={() => startAct(saveAlbum())}>
            {t('album.new')}
          </Button>
        </>
      }
    >
      <h2>{t('pages.title')}</h2>
      <DeskTable
        caption={t('pages.title')}
        name="p"
        hasNoSearch
        columns={pageColumns}
        rows={pages}
        idOf={({ page }) => page}
        actions={page => (
          <Button look="text" onClick={() => startAct(savePage(page))}>
            {t('change')}
          </Button>
        )}
      />
      <h2>{t('items')}</h2>
      <DeskTable
        caption={t('items')}
        columns={itemColumns}
        rows={data.items}
        idOf={({ id }) => id}
        actions={item => (
          <>
            <Button look="text" onClick={() => startAct(saveItem(item))}>
              {t('change')}
            </Button>
            <Button look="text" onClick={() => startAct(remove('content', item, wordsOf(item.text1)))}>
              {t('remove.confirm')}
            </Button>
          </>
        )}
      />
      <h2>{t('albums')}</h2>
      <DeskTable
        caption={t('albums')}
        name="a"
        hasNoSearch
        columns={albumColumns}
        rows={data.albums}
        idOf={({ id }) => id}
        actions={album => (
          <>
            <Button look="text" onClick={() => startAct(addPhoto(album))}>
              {t('photo.new')}
            </Button>
            <Button look="text" onClick={() => startAct(saveAlbum(album))}>
              {t('change')}
            </Button>
            <Button look="text" onClick={() => startAct(remove('album', album, album.name))}>
              {t('remove.confirm')}
            </Button>
          </>
        )}
      />
      <h2>{t('photos')}</h2>
      <DeskTable
        caption={t('photos')}
        name="f"
        columns={photoColumns}
        rows={photos}
        idOf={({ id }) => id}
        actions={photo => (
          <Button look="text" onClick={() => startAct(remove('photo', photo, photo.fileName))}>
            {t('remove.confirm')}
          </Button>
        )}
      />
    </DeskPage>
  )
}
