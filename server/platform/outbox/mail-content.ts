import type { Price } from '#contract/endpoints/courses.ts'
import { formatHeadlineFigures, HEADLINE_FIGURES, type HeadlineFigure } from '#contract/office/headline-figures.ts'
import { TODAY_TASK_LABELS } from '#contract/office/tasks.ts'
import { BOOKING_STATUS, type CalendarDay, type ClockTime, type Language } from '#contract/values.ts'
import {
  formatDate,
  formatDayMonth,
  formatDeadline,
  formatMoney,
  formatTime,
  fullLocation,
  nameInLanguage,
  priceInOneLine,
  sortWeekdays,
} from '#contract/words.ts'
import { fillPlaceholders, placeholderValuesOf } from '#server/platform/branding/read.ts'
import type { Config } from '#server/platform/config/config.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import { translate } from '#server/platform/texts/translate.ts'
import type { BookingMail, MailKind, MailValues, NoticeMail, OfficeReport, OfficeReportMail } from './mail-kinds.ts'

/** Detail of an e-mail; `to` is the path, later the URL, of the page that shows it. */
type Fact = [label: string, value: string, to?: string]

/** Content of an e-mail before rendering, as plain text without escaping. */
export type MailContent = {
  subject: string
  /**
   * recipient's name for the greeting; '' for an unverified e-mail address, to which no text entered by a stranger may
   * be sent
   */
  name: string
  paragraphs: string[]
  /** number of paragraphs before the table of details (`facts`) and the link */
  leading: number
  /** a value of '' makes the label a heading */
  facts: Fact[]
  link: { label: string; url: string } | null
  /** details about the portal as the sender */
  sender: { portal: string; closing: string; footer: string; color: string }
}

type Values = Record<string, string | number>
/** Translates a key below `mail.`. */
type Say = (key: string, values?: Values) => string

const WEEKDAYS_START = Date.UTC(2023, 0, 1)
const DAY_MS = 86_400_000

const weekdayFormat = (language: Language) => new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
/** Formatters are cached, because creating one takes longer than the rest of rendering an e-mail. */
const WEEKDAY_FORMATS: Record<Language, Intl.DateTimeFormat> = { de: weekdayFormat('de'), en: weekdayFormat('en') }

const weekday = (language: Language, day: number) => WEEKDAY_FORMATS[language].format(WEEKDAYS_START + day * DAY_MS)

/** Text for the total amount due, worded as in the app. */
function priceIn(say: Say, mail: BookingMail): string {
  const { priceCents, energyFeeCents, priceRule = 'fee', freeWithAttendance = false, priceCentsOnceVerified } = mail
  const [fee, energyFee, amount] = [priceCents / 100, energyFeeCents / 100, (priceCents + energyFeeCents) / 100]
  const kind: Price['kind'] = amount === 0 ? 'free' : priceRule
  const priceOnceVerified = priceCentsOnceVerified == null ? null : (priceCentsOnceVerified + energyFeeCents) / 100
  const price = { amount, fee, energyFee, kind, freeWithAttendance, waived: false, priceOnceVerified }
  const asCourse = { price, fee, energyFee, externalFee: fee, freeWithAttendance }
  return priceInOneLine(asCourse, (key, values) => say(`price.${key}`, values))
}

const courseName = (language: Language, course: { number: string; name: string; name2: string }) =>
  `${nameInLanguage(language, course)} (${course.number})`

/** Formats the start of a lesson and its own place, as in `Montag, 23.11.2026, 18:00 Uhr, Halle 2`. */
const lessonIn = (say: Say, language: Language, date: CalendarDay & ClockTime & { place?: string }) =>
  [
    say('facts.lesson', {
      day: weekday(language, new Date(Date.UTC(date.year, date.month - 1, date.day)).getUTCDay()),
      date: formatDate(date),
      time: formatTime(date),
    }),
    ...(date.place ? [date.place] : []),
  ].join(', ')

const whenIn = (say: Say, language: Language, mail: BookingMail) => {
  const clock = say('facts.clock', { from: formatTime(mail.startTime), to: formatTime(mail.endTime) })
  const days = sortWeekdays(mail.weekdays ?? [mail.day]).map(day => weekday(language, day))
  return `${days.join(' + ')}, ${clock}`
}

function bookingFacts(say: Say, language: Language, mail: BookingMail): [string, string][] {
  const isWaiting = mail.state === BOOKING_STATUS.Waitinglist
  const { next = mail.start, lessons, clashes = [] } = mail
  const facts: [string, string][] = [
    ['course', courseName(language, mail)],
    ['when', whenIn(say, language, mail)],
    ['first', isWaiting || !mail.next ? '' : lessonIn(say, language, mail.next)],
    ['lessons', lessons && lessons.left < lessons.all ? say('facts.left', lessons) : ''],
    ['period', next === null ? '' : say('facts.span', { from: formatDate(next), to: formatDate(mail.end) })],
    ['where', fullLocation(mail, language)],
    ['instructor', mail.instructor],
    ['position', mail.position > 0 ? String(mail.position) : ''],
    ['price', priceIn(say, mail)],
    ['meetingURL', mail.meetingURL],
    ['meetingID', mail.meetingID],
    ['meetingCode', mail.meetingCode],
    ['cancelUntil', mail.cancelUntil === null || isWaiting ? '' : formatDeadline(mail.cancelUntil)],
    ...clashes.map(({ kind, at, ...other }): [string, string] => {
      const lesson = lessonIn(say, language, toDateTimeValue(at))
      return [`clash.${kind}`, say('facts.clashOn', { name: nameInLanguage(language, other), lesson })]
    }),
  ]
  return withoutEmpty(facts).map(([key, value]) => [say(`facts.${key}`), value])
}

const withoutEmpty = (facts: [string, string][]) => facts.filter(([, value]) => value !== '')

const chargeFacts = (say: Say, { cents, reason, freeUntil }: NonNullable<BookingMail['charge']>): [string, string][] =>
  withoutEmpty([
    [say('facts.reason'), reason],
    [say('facts.charge'), formatMoney(cents / 100)],
    [say('facts.freeUntil'), formatDeadline(freeUntil)],
  ])

type Special = {
  values?: Values
  facts?: Fact[]
  /** path of the linked page; null: no link */
  path: string | null
  isStranger?: boolean
  /** text key to use instead of the default one for this kind of e-mail */
  textKey?: string
  /** literal text to use instead of a template */
  words?: { title: string; paragraphs: string[] }
}

const specials: { [Kind in MailKind]: (payload: MailValues[Kind], say: Say, language: Language) => Special } = {
  booking: aboutBooking,
  'waiting-list': aboutBooking,
  promotion: aboutBooking,
  cancellation: (payload, say, language) => ({
    values: { course: courseName(language, payload) },
    facts: [
      [say('facts.course'), courseName(language, payload)],
      [say('facts.when'), whenIn(say, language, payload)],
      ...(payload.charge ? chargeFacts(say, payload.charge) : []),
    ],
    path: '/courses',
    textKey: `cancellation.${payload.isExternal ? 'external' : payload.hasEnded ? 'ended' : payload.state === BOOKING_STATUS.Waitinglist ? 'left' : payload.charge ? 'charged' : 'text'}`,
  }),
  'course-closed': (payload, say, language) => ({
    values: { course: courseName(language, payload) },
    facts: [
      [say('facts.course'), courseName(language, payload)],
      [say('facts.participants'), String(payload.participants)],
    ],
    path: `/course-participation/${payload.courseId}`,
  }),
  'lesson-eve': (payload, say, language) => ({
    values: { course: nameInLanguage(language, payload), time: formatTime(toDateTimeValue(payload.at)) },
    facts: withoutEmpty([
      [say('facts.course'), courseName(language, payload)],
      [say('facts.when'), lessonIn(say, language, toDateTimeValue(payload.at))],
      [say('facts.where'), fullLocation(payload, language)],
      [say('facts.meetingURL'), payload.meetingURL],
    ]),
    path: `/course-details/${payload.courseId}`,
  }),
  opening: (payload, say, language) => ({
    values: {
      name: nameInLanguage(language, payload),
      time: formatTime(toDateTimeValue(payload.at)),
      count: payload.things,
    },
    facts: [
      [say('facts.opening'), nameInLanguage(language, payload)],
      [say('facts.opensAt'), lessonIn(say, language, toDateTimeValue(payload.at))],
    ],
    path: payload.kind === 'course' ? `/course-details/${payload.id}` : `/courses?${payload.kind}=${payload.id}`,
  }),
  'waiting-news': (payload, say, language) => ({
    values: { course: courseName(language, payload), position: payload.position },
    facts: [
      [say('facts.course'), courseName(language, payload)],
      [say('facts.position'), String(payload.position)],
    ],
    path: `/course-details/${payload.courseId}`,
  }),
  'lesson-place': (payload, say, language) => ({
    values: {
      course: nameInLanguage(language, payload),
      date: formatDayMonth(toDateTimeValue(payload.at)),
      time: formatTime(toDateTimeValue(payload.at)),
    },
    facts: withoutEmpty([
      [say('facts.course'), courseName(language, payload)],
      [say('facts.when'), lessonIn(say, language, toDateTimeValue(payload.at))],
      [say('facts.where'), fullLocation(payload, language)],
    ]),
    path: `/course-details/${payload.courseId}`,
  }),
  activation: ({ token }) => ({ path: `/activate/${token}`, isStranger: true }),
  'new-email': ({ token }) => ({ path: `/activate/${token}`, isStranger: true }),
  'new-email-notice': ({ newEmail, token }) => ({ values: { newEmail }, path: `/undo/${token}` }),
  'email-changed': ({ newEmail, token }) => ({
    values: { newEmail },
    path: `/undo/${token}`,
    textKey: newEmail === '' ? 'email-changed.removed' : 'email-changed.text',
  }),
  'people-merged': ({ other, isInto, hasOwnData, token }, say) => ({
    values: {
      other: other || say('people-merged.noAddress'),
      more: hasOwnData ? say('people-merged.ownData') : '',
    },
    path: `/undo/${token}`,
    textKey: isInto ? 'people-merged.text' : 'people-merged.closed',
  }),
  'password-reset': ({ password }, say) => ({ facts: [[say('facts.password'), password]], path: '/login' }),
  'password-changed': ({ token }) => ({ path: `/undo/${token}` }),
  'iban-changed': ({ lastDigits, token }) => ({ values: { lastDigits }, path: `/undo/${token}` }),
  'new-device': ({ device, at, token }, say) => ({
    values: { date: formatDate(at), time: formatTime(at), device: device || say('new-device.unknown') },
    path: `/undo/${token}`,
  }),
  'welcome-import': ({ password }, say) => ({ facts: [[say('facts.password'), password]], path: '/login' }),
  invitation: ({ password }, say) => ({ facts: [[say('facts.password'), password]], path: '/login' }),
  'account-deleted': ({ isBillingKept }) => ({
    path: null,
    textKey: isBillingKept ? 'account-deleted.billingKept' : 'account-deleted.text',
  }),
  'passkey-link': ({ token }) => ({ path: `/office/passkey/${token}` }),
  'substitute-request': (payload, _say, language) => ({
    words: payload[language],
    path: `/substitute/${payload.token}`,
  }),
  'office-report': aboutReport,
  notice: aboutNotice,
  'notice-urgent': aboutNotice,
}

/** Place at the desk where members of the department choose the reports they receive by e-mail. */
export const REPORT_CHOICE_PATH = '/office#report-mail'

function aboutReport({ period, day, report }: OfficeReportMail, say: Say, language: Language): Special {
  const { season = null, tasks = [], billing = [], waiting = [] } = report ?? {}
  const office = (key: string) => translate(language, `office.notice.closing.${key}`)
  const group = (heading: string, facts: Fact[]): Fact[] => (facts.length === 0 ? [] : [[heading, ''], ...facts])
  return {
    values: { period: say(`office-report.${period}`), date: formatDate(toDateTimeValue(day)) },
    facts: [
      ...(season ? seasonFacts(season, say, language) : []),
      ...group(say('office-report.tasks'), [
        ...tasks.map(
          ({ task, count }): Fact => [TODAY_TASK_LABELS[language][task], formatCount(count), `/office?all=${task}`],
        ),
        ...billing.map(
          ({ task, count }): Fact => [say(`office-report.billing.${task}`), formatCount(count), '/office/money'],
        ),
      ]),
      ...group(
        office('title'),
        waiting.map(
          (course): Fact => [
            courseName(language, course),
            `${formatMoney(course.waiting)}, ${office(`step.${course.next}`)} (${office(`actor.${course.actor}`)})`,
            `/office/money/courses/${course.courseId}`,
          ],
        ),
      ),
      ...group(say('office-report.choice'), [
        [say('office-report.change'), say('office-report.chosen'), REPORT_CHOICE_PATH],
      ]),
    ],
    path: '/office',
  }
}

function seasonFacts(season: NonNullable<OfficeReport['season']>, say: Say, language: Language): Fact[] {
  const figures = formatHeadlineFigures(season.figures)
  const before = season.before && formatHeadlineFigures(season.before.figures)
  const compared = (key: HeadlineFigure) =>
    season.before && before ? ` (${nameInLanguage(language, season.before)}: ${before[key]})` : ''
  return [
    [nameInLanguage(language, season), '', `/office/report?season=${season.id}`],
    ...HEADLINE_FIGURES.map((key): Fact => [say(`office-report.figure.${key}`), figures[key] + compared(key)]),
  ]
}

const formatCount = (count: number) => count.toLocaleString('de-DE')

function aboutNotice(payload: NoticeMail, _say: Say, language: Language): Special {
  return { words: payload[language], path: payload.path }
}

function aboutBooking(payload: BookingMail, say: Say, language: Language): Special {
  return {
    values: { course: courseName(language, payload) },
    facts: bookingFacts(say, language, payload),
    path: `/course-details/${payload.courseId}`,
  }
}

type Mail<Kind extends MailKind> = { kind: Kind; payload: MailValues[Kind]; language: Language }

/** Texts of an e-mail, without its greeting, link and sender. */
function wordsOf<Kind extends MailKind>({ kind, payload, language }: Mail<Kind>, portal: string) {
  const say: Say = (key, values = {}) => translate(language, `mail.${key}`, { portal, ...values })
  const special = specials[kind](payload, say, language)
  const { values, facts = [], textKey = `${kind}.text`, words } = special
  const paragraphs = words?.paragraphs ?? say(textKey, values).split('\n\n')
  return {
    subject: words?.title ?? say(`${kind}.subject`, values),
    paragraphs,
    leading: words ? paragraphs.length : 1,
    facts,
    special,
    say,
  }
}

type PlacementKind = 'booking' | 'waiting-list' | 'promotion' | 'cancellation'

/**
 * Creates an inbox message from the texts of a booking e-mail, in the same order.
 * @param without keys of details (`facts`) to omit
 */
export function toInboxMessage(
  language: Language,
  kind: PlacementKind,
  payload: BookingMail,
  without: readonly string[] = [],
): { title: string; paragraphs: string[] } {
  const { subject, paragraphs, facts, say } = wordsOf({ kind, payload, language }, '')
  const hidden = without.map(key => say(`facts.${key}`))
  const shown = facts.filter(([label]) => !hidden.includes(label)).map(([label, value]) => `${label}: ${value}`)
  const [first = '', ...rest] = paragraphs
  // In German e-mails, the sentence after the greeting starts with a lower-case letter. Inbox messages have no
  // greeting, so the sentence is capitalized.
  return {
    title: subject,
    paragraphs: [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, shown.join('\n'), ...rest],
  }
}

/**
 * Creates the complete content of an e-mail in the recipient's language, including greeting, link and sender. See
 * docs/decisions/0006.
 */
export function toMailContent<Kind extends MailKind>(
  { name, ...mail }: Mail<Kind> & { name: string },
  { publicUrl, branding }: Pick<Config, 'publicUrl' | 'branding'>,
): MailContent {
  const { kind, language } = mail
  const brandValues = placeholderValuesOf(branding, language)
  const { subject, paragraphs, leading, facts, special, say } = wordsOf(mail, branding.portalName)
  const { path, isStranger } = special
  return {
    subject,
    name: isStranger ? '' : name,
    paragraphs,
    leading,
    facts: facts.map(([label, value, path]) =>
      path === undefined ? [label, value] : [label, value, `${publicUrl}${path}`],
    ),
    link: path === null ? null : { label: say(`${kind}.link`), url: `${publicUrl}${path}` },
    sender: {
      portal: branding.portalName,
      closing: fillPlaceholders(branding.texts.mailClosing[language], brandValues),
      footer: fillPlaceholders(branding.texts.mailFooter[language], brandValues),
      color: branding.colors.brand.light,
    },
  }
}
