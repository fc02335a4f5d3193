import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MessageFilter } from '#contract/acts/messages.ts'
import type { SavedMessage } from '#contract/office/people.ts'
import { textInLanguage } from '#contract/words.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { type ActDraft, startAct } from '#office/frame/act-store.ts'
import { DateTimeField } from '#office/frame/components/date-time-field.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { Button } from '#ui/button.tsx'
import { CheckField } from '#ui/check-field.tsx'
import { ChoiceField } from '#ui/choice-field.tsx'
import { Box, Card, CheckLabel, Columns, FieldGrid, Row, Stack, Text } from '#ui/layout.tsx'
import { LongTextField } from '#ui/long-text-field.tsx'
import { SearchBox } from '#ui/search-box.tsx'
import { TextField } from '#ui/text-field.tsx'
import { readMessageFilter } from './audience-model.ts'
import { AudienceFilter } from './components/audience-filter.tsx'
import { CoursePicker } from './components/course-picker.tsx'
import { MessagePreview } from './components/message-preview.tsx'
import { SavedMessages } from './components/saved-messages.tsx'
import { SentMessages } from './components/sent-messages.tsx'
import { formatDay } from './people-model.ts'

type To = ActDraft<'send-message'>['to']
const KINDS: readonly To[] = ['course', 'lesson', 'waiting', 'category', 'filter', 'person']
const EMPTY = { title: '', title2: '', text: '', text2: '' }
type Field = keyof typeof EMPTY

/**
 * Sends messages in both languages, immediately or at a scheduled time, and saves drafts and templates. The dialog
 * shows who will receive a message.
 */
export function MessagesScreen() {
  const { t } = useTranslation(['office-people', 'office'])
  const asked = new URLSearchParams(useQueryString())
  const [to, setTo] = useState<To>(KINDS.find(kind => kind === asked.get('to')) ?? 'course')
  const [id, setId] = useState(Number(asked.get('id')) || 0)
  const [name, setName] = useState(asked.get('name') ?? '')
  const [filter, setFilter] = useState<MessageFilter>(() => readMessageFilter(asked))
  const [words, setWords] = useState(EMPTY)
  const [mail, setMail] = useState(true)
  const [sendAt, setSendAt] = useState('')
  /** id of the draft or scheduled message being edited */
  const [messageId, setMessageId] = useState<number | null>(null)
  const reading = useResource('listDeskMessages', {})
  const set = (field: Field, value: string) => setWords(before => ({ ...before, [field]: value }))
  const hasRecipient = to === 'filter' ? Object.keys(filter).length > 0 : id > 0
  const target = to === 'filter' ? { filter } : { id }
  const missing = [hasRecipient ? '' : t('message.to'), words.title.trim() === '' ? t('message.subject') : ''].filter(
    Boolean,
  )
  const clear = () => {
    setWords(EMPTY)
    setSendAt('')
    setMessageId(null)
  }
  const use = (message: SavedMessage) => {
    const { title, title2, text, text2 } = message
    setWords({ title, title2, text, text2 })
    setMail(message.mail)
    setSendAt(message.sendAt ?? '')
    setMessageId(message.state === 'template' ? null : message.id)
    if (message.to === null) return
    setTo(message.to)
    setId(message.toId ?? 0)
    setFilter(message.filter ?? {})
    setName(message.name)
  }
  const content = { mail, ...words, ...(messageId !== null && { messageId }) }
  const send = () =>
    startAct<'send-message'>({
      act: { kind: 'send-message', to, ...target, ...content },
      title: t('message.send'),
      about: words.title,
      confirm: t('message.confirm'),
      onDone: clear,
    })
  const save = (state: SavedMessage['state']) =>
    startAct<'save-message'>({
      act: {
        kind: 'save-message',
        state,
        ...content,
        ...(hasRecipient && state !== 'template' && { to, ...(to === 'filter' ? { filter } : { toId: id }) }),
        ...(state === 'scheduled' && { sendAt }),
      },
      title: t(`saved.save.${state}`),
      about: words.title,
      ...(state === 'scheduled' && { details: ScheduledRecipients }),
      onDone: clear,
    })
  return (
    <OfficePage title={t('message.title')} lead={t('message.lead')}>
      <Stack>
        <ChoiceField
          name="to"
          label={t('message.to')}
          value={to}
          options={KINDS.map(kind => ({ value: kind, label: t(`message.kind.${kind}`) }))}
          onChange={kind => {
            setTo(kind)
            setId(0)
          }}
        />
        {to === 'filter' ? (
          <AudienceFilter filter={filter} onChange={setFilter} />
        ) : (
          <Whom key={to} to={to} id={id} name={name} onChange={setId} />
        )}
        <MessageTexts words={words} onChange={set} />
        <CheckField label={t('message.mail')} checked={mail} onChange={setMail} />
        <MessageActions missing={missing} isEmpty={words.title.trim() === ''} onSend={send} onSave={save} />
        <FieldGrid>
          <DateTimeField kind="moment" label={t('saved.later')} value={sendAt} onChange={setSendAt} />
          <Button look="quiet" disabled={missing.length > 0 || sendAt === ''} onClick={() => save('scheduled')}>
            {t('saved.save.scheduled')}
          </Button>
        </FieldGrid>
      </Stack>
      {words.title.trim() !== '' && <MessagePreview words={words} isMailed={mail} />}
      <SavedMessages messages={reading.data?.saved ?? []} onUse={use} />
      <SentMessages messages={reading.data?.sent ?? []} />
    </OfficePage>
  )
}

function ScheduledRecipients({ result }: { result: Record<string, unknown> }) {
  const { t } = useTranslation('office-people')
  return <Text flush>{t('saved.recipients', { count: Number(result.recipients) })}</Text>
}

type TextsProps = { words: typeof EMPTY; onChange: (field: Field, value: string) => void }

/** Inputs for the subject and text in both languages. */
function MessageTexts({ words, onChange }: TextsProps) {
  const { t } = useTranslation('office-people')
  return (
    <Columns gap="l" style={{ '--column': 'max(320px, 40%)' }}>
      <Card as="fieldset" lang="de">
        <legend>{t('message.german')}</legend>
        <TextField
          label={t('message.subject')}
          value={words.title}
          maxLength={200}
          required
          onChange={value => onChange('title', value)}
        />
        <LongTextField
          label={t('message.text')}
          rows={7}
          value={words.text}
          onChange={value => onChange('text', value)}
        />
      </Card>
      <Card as="fieldset" lang="en">
        <legend>{t('message.english')}</legend>
        <TextField
          label={t('message.subject')}
          value={words.title2}
          maxLength={200}
          onChange={value => onChange('title2', value)}
        />
        <LongTextField
          label={t('message.text')}
          hint={t('message.secondHint')}
          rows={7}
          value={words.text2}
          onChange={value => onChange('text2', value)}
        />
      </Card>
    </Columns>
  )
}

type ActionsProps = {
  missing: string[]
  isEmpty: boolean
  onSend: () => void
  onSave: (state: 'draft' | 'template') => void
}

/** Buttons that send the message or save it as a draft or template. */
function MessageActions({ missing, isEmpty, onSend, onSave }: ActionsProps) {
  const { t } = useTranslation(['office-people', 'office'])
  return (
    <Row>
      <Button look="primary" disabled={missing.length > 0} onClick={onSend}>
        {t('message.check')}
      </Button>
      <Button look="quiet" disabled={isEmpty} onClick={() => onSave('draft')}>
        {t('saved.save.draft')}
      </Button>
      <Button look="quiet" disabled={isEmpty} onClick={() => onSave('template')}>
        {t('saved.save.template')}
      </Button>
      {missing.length > 0 && (
        <Text tone="muted" flush>
          {t('office:act.missing', { fields: missing.join(', ') })}
        </Text>
      )}
    </Row>
  )
}

type WhomProps = { to: To; id: number; name: string; onChange: (id: number) => void }

function Whom({ to, ...props }: WhomProps) {
  const { t } = useTranslation('office-people')
  switch (to) {
    case 'lesson':
      return <LessonChoice {...props} />
    case 'category':
      return <CategoryChoice {...props} />
    case 'person':
      return <PersonChoice {...props} />
    default:
      return <CoursePicker label={t('message.kind.course')} value={props.id} onChange={props.onChange} />
  }
}

function LessonChoice({ id, onChange }: Omit<WhomProps, 'to'>) {
  const { t } = useTranslation('office-people')
  const [courseId, setCourseId] = useState(0)
  const reading = useResource('getOfficeCourse', courseId > 0 ? { params: { id: courseId } } : null)
  return (
    <>
      <CoursePicker
        label={t('message.kind.course')}
        value={courseId}
        onChange={chosen => {
          setCourseId(chosen)
          onChange(0)
        }}
      />
      {reading.data && (
        <ChoiceField
          name="lesson"
          label={t('message.kind.lesson')}
          value={id > 0 ? String(id) : ''}
          placeholder={t('message.choose')}
          options={reading.data.lessons.map(lesson => ({
            value: String(lesson.courseDateId),
            label: `${formatDay(lesson.date)}, ${lesson.startTime}`,
          }))}
          onChange={chosen => onChange(Number(chosen))}
        />
      )}
    </>
  )
}

function CategoryChoice({ id, onChange }: Omit<WhomProps, 'to'>) {
  const { t } = useTranslation('office-people')
  const language = useLanguage()
  const reading = useResource('getUtilisation', {})
  return (
    <ChoiceField
      name="category"
      label={t('message.kind.category')}
      hint={t('message.categoryHint')}
      value={id > 0 ? String(id) : ''}
      placeholder={t('message.choose')}
      options={(reading.data?.category ?? []).map(({ key, name, name2 }) => ({
        value: key,
        label: textInLanguage(language, name, name2),
      }))}
      onChange={chosen => onChange(Number(chosen))}
    />
  )
}

function PersonChoice({ id, name, onChange }: Omit<WhomProps, 'to'>) {
  const { t } = useTranslation('office-people')
  const [search, setSearch] = useState('')
  const reading = useResource('listOfficePeople', search.trim().length > 1 ? { query: { q: search, limit: 8 } } : null)
  const found = reading.data?.items ?? []
  const isGiven = id > 0 && name !== '' && !found.some(person => person.id === id)
  return (
    <Stack as="fieldset" bare>
      <legend>{t('message.kind.person')}</legend>
      <SearchBox value={search} label={t('people.search')} onChange={setSearch} />
      <Box as="ul" bare>
        {[...(isGiven ? [{ id, name, email: '' }] : []), ...found].map(person => (
          <li key={person.id}>
            <CheckLabel>
              <input type="radio" name="person" checked={person.id === id} onChange={() => onChange(person.id)} />
              <span>
                <b>{person.name}</b> {person.email}
              </span>
            </CheckLabel>
          </li>
        ))}
      </Box>
    </Stack>
  )
}
