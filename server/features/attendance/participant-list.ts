import type { Language } from '#contract/values.ts'
import { formatDate, formatTime, shortLocation } from '#contract/words.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import { PAGE_COUNT_PLACEHOLDER, PAGE_NUMBER_PLACEHOLDER, type PdfDocument } from '#server/platform/pdf/printer.ts'
import { translate } from '#server/platform/texts/translate.ts'
import type { ListedParticipant, ParticipantListCourse } from './repository.ts'

type Printed = Pick<ListedParticipant, 'employeeStatus' | 'billingType' | 'presentLessonIds' | 'absentLessonIds'> & {
  name: string
  /** null for walk-in guests */
  participation: number | null
  /** whether the person has a seat now */
  hasSeat: boolean
}
export type ParticipantList = Pick<
  ParticipantListCourse,
  'number' | 'name' | 'instructors' | 'venue' | 'city' | 'startsOn' | 'endsOn' | 'startTime' | 'endTime' | 'printedAt'
> & {
  brand: { portal: string; color: string }
  /** lessons in ascending order, `heldAt` as 'YYYY-MM-DD HH:MM:SS' */
  lessons: { id: number; heldAt: string }[]
  participants: Printed[]
}

/** Number of date columns that fit between names and signatures on an A4 page in landscape. */
const MAX_DATES_ACROSS = 20
const DATES_WIDTH_PT = 392

type Cell = string | { text: string; style?: string; alignment?: 'right' | 'center' }

const inTheMiddle = (cell: Cell) => ({
  ...(typeof cell === 'string' ? { text: cell } : cell),
  verticalAlignment: 'middle',
})

const dateOf = (date: string) => formatDate(toDateTimeValue(date))
const timeOf = (time: string) => formatTime(toDateTimeValue(time))

/**
 * Splits the lessons into the fewest groups of equal size that fit on a page. Without lessons, returns one empty group.
 */
function groupLessons(lessons: ParticipantList['lessons']): ParticipantList['lessons'][] {
  const groups = Math.max(1, Math.ceil(lessons.length / MAX_DATES_ACROSS))
  const size = Math.ceil(lessons.length / groups)
  return Array.from({ length: groups }, (_, group) => lessons.slice(group * size, (group + 1) * size))
}

type Text = (key: string, values?: Record<string, string | number>) => string

const markOn = ({ presentLessonIds, absentLessonIds }: Printed, lessonId: number): string => {
  if (presentLessonIds.includes(lessonId)) return 'X'
  return absentLessonIds.includes(lessonId) ? '–' : ''
}

/** Table of all participants with the columns of these lessons. */
function describeTable(participants: Printed[], lessons: ParticipantList['lessons'], text: Text) {
  const head = (label: string): Cell => ({ text: label, style: 'head' })
  const rows = participants.map((person, index): Cell[] => [
    { text: String(index + 1), alignment: 'right' },
    person.name,
    person.employeeStatus === null ? '' : text(`employeeStatus.${person.employeeStatus}`),
    person.billingType === null ? '' : text(`billingType.${person.billingType}`),
    { text: String(person.participation ?? ''), alignment: 'right' },
    ...lessons.map(({ id }): Cell => ({ text: markOn(person, id), alignment: 'center' })),
    '',
  ])
  const dateWidth = Math.min(34, DATES_WIDTH_PT / lessons.length - 4)
  return {
    table: {
      headerRows: 1,
      dontBreakRows: true,
      heights: [14, ...rows.map(() => 17)],
      widths: [14, '*', 58, 72, 20, ...lessons.map(() => dateWidth), 60],
      body: [
        [
          ...[text('row'), text('name'), text('status'), text('billing'), text('count')].map(head),
          ...lessons.map(({ heldAt }): Cell => ({ text: dateOf(heldAt).slice(0, 6), style: 'day' })),
          head(text('signature')),
        ],
        ...rows.map(row => row.map(inTheMiddle)),
      ],
    },
    layout: 'grid',
  }
}

/**
 * Participant list as PDF: A4 landscape, one row per participant and walk-in guest, one column per date (X present, – absent, empty not
 * recorded or without a seat), and one table per group of lessons.
 */
export function layOutParticipantList(list: ParticipantList, language: Language): PdfDocument {
  const text: Text = (key, values = {}) => translate(language, `attendance.list.${key}`, values)
  const title = [list.number, list.name].filter(part => part !== '').join(' ')
  const facts = [
    [text('period'), `${dateOf(list.startsOn)} – ${dateOf(list.endsOn)}`],
    [text('time'), text('clock', { start: timeOf(list.startTime), end: timeOf(list.endTime) })],
    [text('place'), shortLocation(list)],
    [text('instructor'), list.instructors],
    [text('participants'), String(list.participants.filter(({ hasSeat }) => hasSeat).length)],
  ].filter(([, value]) => value !== '')

  return {
    info: { title: `${text('title')}: ${title}` },
    language,
    pageSize: 'A4',
    pageOrientation: 'landscape',
    pageMargins: [24, 28, 24, 34],
    defaultStyle: { font: 'Roboto', fontSize: 8 },
    styles: {
      title: { fontSize: 15, bold: true },
      head: { bold: true },
      day: { bold: true, fontSize: 6.5, alignment: 'center', margin: [-2, 1, -2, 0] },
      small: { fontSize: 7, color: '#555555' },
    },
    footer: {
      margin: [24, 10, 24, 0],
      columns: [
        {
          text: `${title} · ${text('printedOn', { date: dateOf(list.printedAt) })} · ${text('legend')}`,
          style: 'small',
        },
        {
          text: text('page', { page: PAGE_NUMBER_PLACEHOLDER, pages: PAGE_COUNT_PLACEHOLDER }),
          style: 'small',
          alignment: 'right',
          width: 100,
        },
      ],
    },
    content: [
      {
        columns: [
          { text: text('title'), style: 'small' },
          { text: list.brand.portal, color: list.brand.color, bold: true, fontSize: 12, alignment: 'right' },
        ],
      },
      { text: title, role: 'H1', style: 'title', margin: [0, 0, 0, 4] },
      {
        text: facts.flatMap(([label, value], index) => [
          { text: `${index === 0 ? '' : '   '}${label}: `, color: '#555555' },
          `${value}`,
        ]),
        margin: [0, 0, 0, 8],
      },
      ...groupLessons(list.lessons).map((lessons, index) => ({
        ...describeTable(list.participants, lessons, text),
        ...(index > 0 && { pageBreak: 'before' }),
      })),
    ],
  }
}
