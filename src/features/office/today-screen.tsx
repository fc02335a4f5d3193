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
import { startAct } from './act-store.ts'
import { DeskPage } from './components/desk-page.tsx'
import { MoneyToday } from './components/money-today.tsx'
import { ReadingState } from './components/reading-state.tsx'
import {
  bookGuest,
  cancelPastLesson,
  LessonLine,
  TodayLine,
  TodaySection,
  useMayChange,
} from './components/today-lines.tsx'
import { formatMoment } from './model.ts'

const RELEASE_COMMAND = 'npm run mails -- --release'

type Today = ResponseOf<typeof getToday>

/** Pending tasks of the day, with their actions. */
export function TodayScreen() {
  const { t } = useTranslation('office')
  const reading = useResource('getToday', {})
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
  const {
    lessons = [],
    unrecorded = [],
    call = [],
    unverified = [],
    withoutPayer = [],
    numberConflicts = [],
    mails = [],
    guests = [],
    openings = [],
    held,
    directoryRemovals,
  } = today
  const isToday = ({ at }: { at: string }) => at.startsWith(today.date)
  const say = (at: string) => formatMoment(at, language)
  return (
    <>
      {directoryRemovals && (
        <ul className={piece('stack')}>
          <TodayLine title={t('today.removals')} text={t('today.removalsText', directoryRemovals)} />
        </ul>
      )}
      {held && (
        <ul className={piece('stack')}>
          <TodayLine
            title={t('today.held')}
            text={t('today.heldText', { at: say(held.since), mails: held.mails, command: RELEASE_COMMAND })}
          />
        </ul>
      )}
      <TodaySection title={t('today.call')} count={call.length}>
        {call.map(({ letterId, webUserId, name, phone, about }) => (
          <TodayLine key={letterId} title={<Link href={`/office/people/${webUserId}`}>{name}</Link>} text={about}>
            {phone && (
              <ButtonLink look="plain" isPill isOutside href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
                {phone}
              </ButtonLink>
            )}
            <ButtonLink look="quiet" isPill href="/office/letters">
              {t('today.letter')}
            </ButtonLink>
          </TodayLine>
        ))}
      </TodaySection>
      <MoneyToday />
      <TodaySection title={t('today.today')} count={today.lessons && lessons.filter(isToday).length} isAlways>
        {lessons.filter(isToday).map(lesson => (
          <LessonLine key={lesson.courseDateId} lesson={lesson} />
        ))}
      </TodaySection>
      <TodaySection
        title={t('today.tomorrow')}
        count={today.lessons && lessons.filter(lesson => !isToday(lesson)).length}
        isAlways
      >
        {lessons
          .filter(lesson => !isToday(lesson))
          .map(lesson => (
            <LessonLine key={lesson.courseDateId} lesson={lesson} />
          ))}
      </TodaySection>
      <TodaySection title={t('today.guests')} count={guests.length}>
        {guests.map(({ guestId, name, courseId, courseName, at, freePlaces, accounts }) => (
          <TodayLine key={guestId} title={name} text={`${courseName}, ${say(at)}`}>
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
          </TodayLine>
        ))}
      </TodaySection>
      <TodaySection title={t('today.unverified')} count={unverified.length}>
        {unverified.map(({ webUserId, version, name, personnelNumber }) => (
          <TodayLine
            key={webUserId}
            title={<Link href={`/office/people/${webUserId}`}>{name}</Link>}
            text={personnelNumber}
          >
            <Button
              look="quiet"
              isPill
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
          </TodayLine>
        ))}
      </TodaySection>
      <TodaySection title={t('today.withoutPayer')} count={withoutPayer.length}>
        {withoutPayer.map(({ webUserId, name, courseId, courseName, courseName2, number, amount, missing }, index) => (
          <TodayLine
            // biome-ignore lint/suspicious/noArrayIndexKey: a course may be booked, ended with a charge and booked again
            key={`${webUserId} ${courseId} ${index}`}
            title={<Link href={`/office/people/${webUserId}`}>{name}</Link>}
            text={t('today.payerMissing', {
              course: `${number} ${pickText(language, courseName, courseName2)}`,
              sum: formatMoney(amount),
              field: FIELD_NAMES[language][missing],
            })}
          />
        ))}
      </TodaySection>
      <TodaySection title={t('today.numberConflicts')} count={numberConflicts.length}>
        {numberConflicts.map(({ webUserId, version, name, email, personnelNumber, otherNumber }) => (
          <TodayLine
            key={webUserId}
            title={<Link href={`/office/people/${webUserId}`}>{name}</Link>}
            text={t('today.numberConflict', { email, personnelNumber, otherNumber })}
          >
            <Button
              look="quiet"
              isPill
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
            <ButtonLink look="quiet" isPill href={`/office/people/${webUserId}`}>
              {t('today.changeAddress')}
            </ButtonLink>
          </TodayLine>
        ))}
      </TodaySection>
      <TodaySection title={t('today.mails')} count={mails.length}>
        {mails.map(({ webUserId, name, at, isGivenUp }, index) => (
          <TodayLine
            // biome-ignore lint/suspicious/noArrayIndexKey: two mails to one person may be of one minute
            key={index}
            title={webUserId ? <Link href={`/office/people/${webUserId}`}>{name}</Link> : t('today.nobody')}
            text={t(isGivenUp ? 'today.givenUp' : 'today.waiting', { at: say(at) })}
          />
        ))}
      </TodaySection>
      <TodaySection title={t('today.openings')} count={openings.length}>
        {openings.map(({ seasonId, at, courses, ...season }) => (
          <TodayLine
            key={`${seasonId} ${at}`}
            title={<Link href={`/office/season?season=${seasonId}`}>{nameIn(language, season)}</Link>}
            text={`${say(at)} · ${t('today.courses', { count: courses })}`}
          />
        ))}
      </TodaySection>
      <TodaySection title={t('today.unrecorded')} count={unrecorded.length}>
        {unrecorded.map(lesson => (
          <TodayLine
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
                onClick={() => startAct(cancelPastLesson(t, lesson, `${nameIn(language, lesson)}, ${say(lesson.at)}`))}
              >
                {t('today.fellOut')}
              </Button>
            )}
            <ButtonLink look="quiet" isPill href={`/office/courses/${lesson.courseId}?tab=lessons`}>
              {t('today.lessons')}
            </ButtonLink>
          </TodayLine>
        ))}
      </TodaySection>
    </>
  )
}
