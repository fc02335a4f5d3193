import { Children, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Button, ButtonLink } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getToday } from '#contract/office-today.ts'
import { nameIn } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { type ActRequest, startAct } from './act-store.ts'
import { callOffice } from './api.ts'
import { DeskPage } from './components/desk-page.tsx'
import { useGrowingList } from './components/growing-list.tsx'
import { NoteFields } from './components/note-fields.tsx'
import { ReadingState } from './components/reading-state.tsx'
import { sayMoment } from './model.ts'
import { useRead } from './use-read.ts'

type Today = ResponseOf<typeof getToday>
type Lesson = NonNullable<Today['lessons']>[number]

/** What needs somebody now, each line with what can be done about it. */
export function TodayScreen() {
  const { t } = useTranslation('office')
  const reading = useRead(getToday)
  const today = reading.data
  return (
    <DeskPage title={t('today.title')}>
      {today === null ? <ReadingState reading={reading} /> : <Parts today={today} />}
    </DeskPage>
  )
}

function Parts({ today }: { today: Today }) {
  const { t } = useTranslation('office')
  const mayChange = useMayChange()
  const language = useLanguage()
  const { lessons = [], unrecorded = [], call = [], unverified = [], mails = [], guests = [], openings = [] } = today
  const isToday = ({ at }: Lesson) => at.startsWith(today.date)
  const say = (at: string) => sayMoment(at, language)
  return (
    <>
      <Part title={t('today.call')} count={call.length}>
        {call.map(({ letterId, webUserId, name, phone, about }) => (
          <Line key={letterId} title={<Link href={`/office/people/${webUserId}`}>{name}</Link>} text={about}>
            {phone && (
              <ButtonLink look="plain" isPill isOutside href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
                {phone}
              </ButtonLink>
            )}
            <ButtonLink look="quiet" isPill href="/office/letters">
              {t('today.letter')}
            </ButtonLink>
          </Line>
        ))}
      </Part>
      <Part title={t('today.today')} count={today.lessons && lessons.filter(isToday).length} isAlways>
        {lessons.filter(isToday).map(lesson => (
          <LessonLine key={lesson.courseDateId} lesson={lesson} />
        ))}
      </Part>
      <Part
        title={t('today.tomorrow')}
        count={today.lessons && lessons.filter(lesson => !isToday(lesson)).length}
        isAlways
      >
        {lessons
          .filter(lesson => !isToday(lesson))
          .map(lesson => (
            <LessonLine key={lesson.courseDateId} lesson={lesson} />
          ))}
      </Part>
      <Part title={t('today.guests')} count={guests.length}>
        {guests.map(({ guestId, name, courseId, courseName, at, freePlaces, accounts }) => (
          <Line key={guestId} title={name} text={`${courseName}, ${say(at)}`}>
            {freePlaces > 0 && accounts.length === 1 && accounts[0] && (
              <Button
                look="plain"
                isPill
                onClick={() => accounts[0] && startAct(bookGuest(t, courseId, courseName, accounts[0]))}
              >
                {t('today.book')}
              </Button>
            )}
            <ButtonLink look="quiet" isPill href={`/office/people?q=${encodeURIComponent(name)}`}>
              {t('today.find')}
            </ButtonLink>
          </Line>
        ))}
      </Part>
      <Part title={t('today.unverified')} count={unverified.length}>
        {unverified.map(({ webUserId, version, name, personnelNumber }) => (
          <Line key={webUserId} title={<Link href={`/office/people/${webUserId}`}>{name}</Link>} text={personnelNumber}>
            <Button
              look="quiet"
              isPill
              onClick={() =>
                startAct({
                  act: { kind: 'verify-person', webUserId, version },
                  title: t('today.verify'),
                  about: [name, personnelNumber].filter(Boolean).join(', '),
                  confirm: t('today.verify'),
                })
              }
            >
              {t('today.verify')}
            </Button>
          </Line>
        ))}
      </Part>
      <Part title={t('today.mails')} count={mails.length}>
        {mails.map(({ webUserId, name, at, isGivenUp }, index) => (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: two mails to one person may be of one minute
            key={index}
            title={webUserId ? <Link href={`/office/people/${webUserId}`}>{name}</Link> : t('today.nobody')}
            text={t(isGivenUp ? 'today.givenUp' : 'today.waiting', { at: say(at) })}
          />
        ))}
      </Part>
      <Part title={t('today.openings')} count={openings.length}>
        {openings.map(({ seasonId, at, courses, ...season }) => (
          <Line
            key={`${seasonId} ${at}`}
            title={<Link href={`/office/season?season=${seasonId}`}>{nameIn(language, season)}</Link>}
            text={`${say(at)} · ${t('today.courses', { count: courses })}`}
          />
        ))}
      </Part>
      <Part title={t('today.unrecorded')} count={unrecorded.length}>
        {unrecorded.map(lesson => (
          <Line
            key={lesson.courseDateId}
            title={<Link href={`/office/courses/${lesson.courseId}`}>{nameIn(language, lesson)}</Link>}
            text={[say(lesson.at), lesson.instructor, t('today.booked', { count: lesson.booked })]
              .filter(Boolean)
              .join(' · ')}
          >
            {mayChange && (
              <Button
                look="quiet"
                isPill
                aria-label={`${t('today.fellOut')}: ${nameIn(language, lesson)}, ${say(lesson.at)}`}
                onClick={() => startAct(fellOut(t, lesson, `${nameIn(language, lesson)}, ${say(lesson.at)}`))}
              >
                {t('today.fellOut')}
              </Button>
            )}
            <ButtonLink look="quiet" isPill href={`/office/courses/${lesson.courseId}?tab=lessons`}>
              {t('today.lessons')}
            </ButtonLink>
          </Line>
        ))}
      </Part>
    </>
  )
}

const useMayChange = () => useSession(state => state.session?.rights.includes('programme') ?? false)

/** So many lines of a part are drawn at once. */
const STEP = 25

type PartProps = { title: string; count: number | undefined; isAlways?: boolean; children: ReactNode }

/** @param isAlways says so, too, when there is nothing; @param count undefined: it is not for this person */
function Part({ title, count, isAlways = false, children }: PartProps) {
  const { t } = useTranslation('office')
  const [lines, more] = useGrowingList(Children.toArray(children), STEP)
  if (count === undefined || (count === 0 && !isAlways)) return null
  return (
    <section className={piece('stack')}>
      <h2>
        {title} ({count})
      </h2>
      {count === 0 ? (
        <p className={piece('muted', 'flush')}>{t('today.nothing')}</p>
      ) : (
        <ul className={piece('stack')}>{lines}</ul>
      )}
      {more}
    </section>
  )
}

function Line({ title, text, children }: { title: ReactNode; text: string; children?: ReactNode }) {
  return (
    <li className={piece('box', 'row')}>
      <div className={piece('grow', 'flush')}>
        <h3 className={piece('name')}>{title}</h3>
        <p className={piece('muted', 'flush')}>{text}</p>
      </div>
      {children}
    </li>
  )
}

function LessonLine({ lesson }: { lesson: Lesson }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const mayChange = useMayChange()
  const { courseId, at, endTime, state, room, instructor, booked } = lesson
  const isCancelled = state === 'cancelled'
  const name = nameIn(language, lesson)
  const about = `${name}, ${sayMoment(at, language)}`
  const text = [`${at.slice(11)}–${endTime}`, room, instructor, t('today.booked', { count: booked })].filter(Boolean)
  return (
    <Line
      title={
        <>
          <Link href={`/office/courses/${courseId}`}>{name}</Link>
          {isCancelled && <span className={piece('bad')}> {t('today.cancelled')}</span>}
        </>
      }
      text={text.join(' · ')}
    >
      {mayChange && (
        <Button
          look={isCancelled ? 'quiet' : 'danger'}
          isPill
          aria-label={`${t(isCancelled ? 'today.restore' : 'today.cancel')}: ${about}`}
          onClick={() => startAct(setLesson(t, lesson, about))}
        >
          {t(isCancelled ? 'today.restore' : 'today.cancel')}
        </Button>
      )}
    </Line>
  )
}

type Say = ReturnType<typeof useTranslation>['t']

/** A lesson that falls out, or takes place after all. */
const setLesson = (
  t: Say,
  lesson: Lesson,
  about: string,
  kind: 'cancel-lesson' | 'restore-lesson' = lesson.state === 'cancelled' ? 'restore-lesson' : 'cancel-lesson',
): ActRequest<typeof kind> => {
  const { courseDateId, version, at, endTime, room, instructor, state } = lesson
  const isBack = kind === 'restore-lesson'
  const title = t(isBack ? 'today.restoreTitle' : 'today.cancelTitle')
  return {
    act: { kind, courseDateId, version, quiet: false },
    title,
    about,
    confirm: t(isBack ? 'today.restore' : 'today.cancel'),
    form: NoteFields,
    facts: [
      {
        label: title,
        value: [`${at.slice(11)}–${endTime}`, room, instructor, state === 'cancelled' && t('today.cancelled')]
          .filter(Boolean)
          .join(' · '),
      },
    ],
    again: async () => {
      const { lessons = [] } = await callOffice(getToday, {})
      const now = lessons.find(other => other.courseDateId === courseDateId)
      if (!now) throw new Error('The lesson is gone')
      return setLesson(t, now, about, kind)
    },
    undo: ({ version: after }) =>
      setLesson(t, { ...lesson, version: after ?? version }, about, isBack ? 'cancel-lesson' : 'restore-lesson'),
  }
}

/** Nobody was there to be recorded: what has been and did not take place. */
const fellOut = (t: Say, { courseDateId }: { courseDateId: number }, about: string): ActRequest<'cancel-lesson'> => ({
  act: { kind: 'cancel-lesson', courseDateId, quiet: false },
  title: t('today.fellOut'),
  about,
  confirm: t('today.fellOut'),
  form: NoteFields,
})

const bookGuest = (
  t: Say,
  courseId: number,
  courseName: string,
  { webUserId, name }: { webUserId: number; name: string },
): ActRequest<'book'> => ({
  act: { kind: 'book', courseId, webUserId },
  title: t('today.book'),
  about: `${name}: ${courseName}`,
  confirm: t('today.book'),
  undo: () => null,
})
