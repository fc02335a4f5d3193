import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Button, ButtonLink } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getToday } from '#contract/office-today.ts'
import { FIELD_NAMES } from '#contract/person.ts'
import { formatMoney, nameIn, pickText } from '#contract/words.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useWallClock } from '#lib/use-now.ts'
import { startAct } from './act-store.ts'
import { DeskPage } from './components/desk-page.tsx'
import { type Figure, Figures } from './components/figures.tsx'
import { GateListButton } from './components/gate-list-button.tsx'
import { LessonTable } from './components/lesson-table.tsx'
import { MoneyToday } from './components/money-today.tsx'
import { NeedGroup, NeedLine, NeedList } from './components/needs.tsx'
import { ReadingState } from './components/reading-state.tsx'
import { bookGuest, cancelPastLesson, decideCourse, useMayChange } from './components/today-acts.ts'
import { formatMoment } from './model.ts'

const RELEASE_COMMAND = 'npm run mails -- --release'

export type Today = ResponseOf<typeof getToday>
export type Setup = NonNullable<Today['setup']>

/** What needs a person now, each line with its acts; then the lessons of today and tomorrow. */
export function TodayScreen({ welcome }: { welcome: (setup: Setup) => ReactNode }) {
  const { t } = useTranslation('office')
  const reading = useResource('getToday', {})
  const today = reading.data
  if (today?.setup) return welcome(today.setup)
  return (
    <DeskPage title={t('today.title')}>
      {today === null ? <ReadingState reading={reading} /> : <Parts today={today} />}
    </DeskPage>
  )
}

/** 'YYYY-MM-DDTHH:mm' of the portal's wall clock */
const useNow = () => new Date(useWallClock()).toISOString().slice(0, 16)

function Parts({ today }: { today: Today }) {
  const { t } = useTranslation('office')
  const now = useNow()
  const { lessons } = today
  const isToday = ({ at }: { at: string }) => at.startsWith(today.date)
  const days = lessons && [
    { key: 'today' as const, rows: lessons.filter(isToday), now },
    { key: 'tomorrow' as const, rows: lessons.filter(lesson => !isToday(lesson)), now: '' },
  ]
  return (
    <>
      <TodayFigures today={today} />
      <Needs today={today} />
      {days?.map(({ key, rows, now: line }) => (
        <section key={key} className={piece('stack', 'close')}>
          <div className={piece('spread')}>
            <h2 className={piece('heading', 'flush')}>
              {t(`today.${key}`)} ({rows.length})
            </h2>
            {key === 'today' && <GateListButton />}
          </div>
          <LessonTable lessons={rows} label={t(`today.${key}`)} now={line} />
        </section>
      ))}
    </>
  )
}

/** Running total of new bookings that ends at the present number. */
function bookingCurve(daily: readonly number[], booked: number): number[] {
  let total = booked - daily.reduce((sum, count) => sum + count, 0)
  return daily.map(count => {
    total += count
    return total
  })
}

function TodayFigures({ today: { figures, openings, unrecorded } }: { today: Today }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  if (!figures) return null
  const { places, booked, waiting, waitingCourses, expected, present, daily } = figures
  const count = (value: number) => value.toLocaleString(language)
  const next = openings?.[0]
  const all: (Figure | false)[] = [
    {
      key: 'places',
      value: count(booked),
      of: count(places),
      label: t('today.figure.places'),
      spark: bookingCurve(daily, booked),
      href: '/office/season',
    },
    {
      key: 'daily',
      value: count(daily.reduce((sum, one) => sum + one, 0)),
      label: t('today.figure.daily'),
      spark: daily,
    },
    { key: 'waiting', value: count(waiting), label: t('today.figure.waiting', { count: waitingCourses }) },
    expected > 0 && {
      key: 'present',
      value: `${Math.round((100 * present) / expected)} %`,
      label: t('today.figure.present'),
    },
    unrecorded !== undefined && {
      key: 'unrecorded',
      value: count(unrecorded.length),
      label: t('today.figure.unrecorded'),
    },
    next !== undefined && {
      key: 'opening',
      value: formatMoment(next.at, language).slice(3, 9),
      label: t('today.figure.opening', { name: nameIn(language, next), time: next.at.slice(11) }),
      href: `/office/season?season=${next.seasonId}`,
    },
  ]
  return <Figures label={t('today.figure.title')} figures={all.filter(one => one !== false)} />
}

function Needs({ today }: { today: Today }) {
  const { t } = useTranslation('office')
  return (
    <section className={piece('stack', 'close')} aria-labelledby="needs">
      <h2 id="needs" className={piece('heading', 'flush')}>
        {t('today.needs')}
      </h2>
      <NeedList empty={t('today.nothingToDo')}>
        <UrgentNeeds today={today} />
        <MoneyToday />
        <PeopleNeeds today={today} />
        <PlanNeeds today={today} />
      </NeedList>
    </section>
  )
}

const telephone = (phone: string) => `tel:${phone.replace(/[^+\d]/g, '')}`
const personLink = (webUserId: number, name: string) => <Link href={`/office/people/${webUserId}`}>{name}</Link>

/** Today: whom no message reached, clashes, people at the door, and messages that do not leave. */
function UrgentNeeds({ today }: { today: Today }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const { call = [], clashes = [], absences = [], guests = [], mails = [], held, directoryRemovals } = today
  const say = (at: string) => formatMoment(at, language)
  return (
    <>
      <NeedGroup title={t('today.removals')} weight="now">
        {directoryRemovals && <NeedLine title="" text={t('today.removalsText', directoryRemovals)} />}
      </NeedGroup>
      <NeedGroup title={t('today.held')} weight="now">
        {held && (
          <NeedLine
            title=""
            text={t('today.heldText', { at: say(held.since), mails: held.mails, command: RELEASE_COMMAND })}
          />
        )}
      </NeedGroup>
      <NeedGroup title={t('today.call')} weight="now">
        {call.map(({ letterId, webUserId, name, phone, about }) => (
          <NeedLine key={letterId} title={personLink(webUserId, name)} text={about}>
            {phone && (
              <a className={piece('action')} href={telephone(phone)} data-edit>
                {phone}
              </a>
            )}
            <ButtonLink look="text" href="/office/letters">
              {t('today.letter')}
            </ButtonLink>
          </NeedLine>
        ))}
      </NeedGroup>
      <NeedGroup title={t('today.clashes')} weight="now">
        {clashes.map(({ courseDateId, courseId, number, name, at, otherCourseId, otherCourse, shared }) => (
          <NeedLine
            key={`${courseDateId} ${otherCourseId} ${shared}`}
            title={`${number} ${name}`}
            text={t('today.clash', { at: say(at), shared, other: otherCourse })}
          >
            <ButtonLink look="text" data-edit href={`/office/courses/${courseId}?tab=lessons`}>
              {t('today.lessons')}
            </ButtonLink>
          </NeedLine>
        ))}
      </NeedGroup>
      <NeedGroup title={t('today.absences')} weight="now">
        {absences.map(({ absenceId, instructorEmail, name, from, to, at, lessons }) => (
          <NeedLine key={absenceId} title={name} text={t('today.absence', { at: say(at), count: lessons })}>
            <ButtonLink
              look="text"
              data-edit
              href={`/office/basics?${new URLSearchParams({ absent: instructorEmail, from, to })}`}
            >
              {t('today.cover')}
            </ButtonLink>
          </NeedLine>
        ))}
      </NeedGroup>
      <NeedGroup title={t('today.guests')} weight="now">
        {guests.map(({ guestId, name, courseId, courseName, at, freePlaces, accounts }) => (
          <NeedLine key={guestId} title={name} text={`${courseName}, ${say(at)}`}>
            {freePlaces > 0 && accounts.length === 1 && accounts[0] && (
              <Button
                look="text"
                data-edit
                onClick={() => accounts[0] && startAct(bookGuest(t, courseId, courseName, accounts[0]))}
              >
                {t('today.book')}
              </Button>
            )}
            <ButtonLink look="text" href={`/office/people?q=${encodeURIComponent(name)}`}>
              {t('today.find')}
            </ButtonLink>
          </NeedLine>
        ))}
      </NeedGroup>
      <NeedGroup title={t('today.mails')} weight="now">
        {mails.map(({ webUserId, name, at, isGivenUp }, index) => (
          <NeedLine
            // biome-ignore lint/suspicious/noArrayIndexKey: two mails to one person may be of one minute
            key={index}
            title={webUserId ? personLink(webUserId, name) : t('today.nobody')}
            text={t(isGivenUp ? 'today.givenUp' : 'today.waiting', { at: say(at) })}
          />
        ))}
      </NeedGroup>
    </>
  )
}

/** People whose data stop payroll or an invoice. */
function PeopleNeeds({ today }: { today: Today }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const { unverified = [], withoutPayer = [], numberConflicts = [] } = today
  return (
    <>
      <NeedGroup title={t('today.withoutPayer')}>
        {withoutPayer.map(({ webUserId, name, courseId, courseName, courseName2, number, amount, missing }, index) => (
          <NeedLine
            // biome-ignore lint/suspicious/noArrayIndexKey: a course may be booked, ended with a charge and booked again
            key={`${webUserId} ${courseId} ${index}`}
            title={personLink(webUserId, name)}
            text={t('today.payerMissing', {
              course: `${number} ${pickText(language, courseName, courseName2)}`,
              sum: formatMoney(amount),
              field: FIELD_NAMES[language][missing],
            })}
          >
            <ButtonLink look="text" data-edit href={`/office/people/${webUserId}`}>
              {t('today.complete')}
            </ButtonLink>
          </NeedLine>
        ))}
      </NeedGroup>
      <NeedGroup title={t('today.numberConflicts')}>
        {numberConflicts.map(({ webUserId, version, name, email, personnelNumber, otherNumber }) => (
          <NeedLine
            key={webUserId}
            title={personLink(webUserId, name)}
            text={t('today.numberConflict', { email, personnelNumber, otherNumber })}
          >
            <Button
              look="text"
              data-edit
              onClick={() =>
                startAct({
                  act: { kind: 'change-person', webUserId, version, personnelNumber: otherNumber },
                  title: t('today.takeNumber'),
                  about: `${name}: ${personnelNumber} → ${otherNumber}`,
                })
              }
            >
              {t('today.takeNumber')}
            </Button>
            <ButtonLink look="text" href={`/office/people/${webUserId}`}>
              {t('today.changeAddress')}
            </ButtonLink>
          </NeedLine>
        ))}
      </NeedGroup>
      <NeedGroup title={t('today.unverified')}>
        {unverified.map(({ webUserId, version, name, personnelNumber }) => (
          <NeedLine key={webUserId} title={personLink(webUserId, name)} text={personnelNumber}>
            <Button
              look="text"
              data-edit
              onClick={() =>
                startAct({
                  act: { kind: 'verify-person', webUserId, version },
                  title: t('today.verify'),
                  about: [name, personnelNumber].filter(Boolean).join(', '),
                })
              }
            >
              {t('today.verify')}
            </Button>
          </NeedLine>
        ))}
      </NeedGroup>
    </>
  )
}

/** Courses to decide on, lists nobody recorded, and openings to come. */
function PlanNeeds({ today: { decisions = [], unrecorded = [], openings = [] } }: { today: Today }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const mayChange = useMayChange()
  const say = (at: string) => formatMoment(at, language)
  return (
    <>
      <NeedGroup title={t('today.decisions')}>
        {decisions.map(course => {
          const { courseId, number, booked, minParticipants, decideOn } = course
          const about = `${number} ${nameIn(language, course)}`
          const [day] = say(decideOn).split(',')
          return (
            <NeedLine
              key={courseId}
              title={<Link href={`/office/courses/${courseId}`}>{about}</Link>}
              text={t('today.decide', { booked, needed: minParticipants, day })}
            >
              {(['confirm-course', 'cancel-course'] as const).map(kind => (
                <Button
                  key={kind}
                  look="text"
                  {...(kind === 'confirm-course' && { 'data-edit': true })}
                  aria-label={`${t(`today.${kind}`)}: ${about}`}
                  onClick={() => startAct(decideCourse(t, course, about, kind))}
                >
                  {t(`today.${kind}`)}
                </Button>
              ))}
            </NeedLine>
          )
        })}
      </NeedGroup>
      <NeedGroup title={t('today.unrecorded')}>
        {unrecorded.map(lesson => {
          const about = `${nameIn(language, lesson)}, ${say(lesson.at)}`
          return (
            <NeedLine
              key={lesson.courseDateId}
              title={<Link href={`/office/courses/${lesson.courseId}`}>{nameIn(language, lesson)}</Link>}
              text={[say(lesson.at), lesson.instructor, t('today.booked', { count: lesson.booked })]
                .filter(Boolean)
                .join(' · ')}
            >
              {mayChange && (
                <Button
                  look="text"
                  data-edit
                  aria-label={`${t('today.fellOut')}: ${about}`}
                  onClick={() => startAct(cancelPastLesson(t, lesson, about))}
                >
                  {t('today.fellOut')}
                </Button>
              )}
              <ButtonLink look="text" href={`/office/courses/${lesson.courseId}?tab=lessons`}>
                {t('today.lessons')}
              </ButtonLink>
            </NeedLine>
          )
        })}
      </NeedGroup>
      <NeedGroup title={t('today.openings')}>
        {openings.map(({ seasonId, at, courses, ...season }) => (
          <NeedLine
            key={`${seasonId} ${at}`}
            title={<Link href={`/office/season?season=${seasonId}`}>{nameIn(language, season)}</Link>}
            text={`${say(at)} · ${t('today.courses', { count: courses })}`}
          />
        ))}
      </NeedGroup>
    </>
  )
}
