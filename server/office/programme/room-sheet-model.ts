import type { Language } from '#contract/values.ts'
import { formatDate, nameInLanguage } from '#contract/words.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import type { PdfDocument } from '#server/platform/pdf/printer.ts'
import { translate } from '#server/platform/texts/translate.ts'
import type { RoomSheetLesson } from './room-sheet-repository.ts'

type Printed = { lessons: readonly RoomSheetLesson[]; language: Language; portal: string; title: string }

/** Lays out a page for each room and day, in letters that can be read in front of a door. */
export function layOutRoomSheets({ lessons, language, portal, title }: Printed): PdfDocument {
  const say = (key: string) => translate(language, `attendance.list.${key}`)
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  const sheets = Map.groupBy(lessons, ({ date, site, room }) => JSON.stringify([date, site, room]))
  const sheetOf = (own: readonly RoomSheetLesson[], index: number) => {
    const [{ date, site, room } = { date: '', site: '', room: '' }] = own
    return [
      { text: room, role: 'H1', fontSize: 34, bold: true, ...(index > 0 && { pageBreak: 'before' }) },
      { text: site, fontSize: 16, margin: [0, 0, 0, 10] },
      {
        text: `${weekday.format(new Date(`${date}T00:00Z`))}, ${formatDate(toDateTimeValue(date))}`,
        role: 'H2',
        fontSize: 22,
        margin: [0, 0, 0, 16],
      },
      {
        layout: 'grid',
        table: {
          headerRows: 1,
          dontBreakRows: true,
          widths: [110, '*', 150],
          body: [
            ['time', 'course', 'instructor'].map(key => ({ text: say(key), bold: true, fontSize: 12 })),
            ...own.map(({ startTime, endTime, number, instructor, takesPlace, ...course }) => [
              `${startTime} – ${endTime}`,
              {
                stack: [
                  { text: nameInLanguage(language, course), bold: true },
                  { text: takesPlace ? number : `${number} · ${say('cancelled')}`, fontSize: 11 },
                ],
                ...(!takesPlace && { decoration: 'lineThrough' }),
              },
              takesPlace ? instructor : '',
            ]),
          ],
        },
      },
    ]
  }
  return {
    info: { title },
    language,
    pageSize: 'A4',
    pageMargins: [40, 40, 40, 44],
    defaultStyle: { font: 'Roboto', fontSize: 15 },
    footer: { text: portal, margin: [40, 10, 40, 0], fontSize: 8 },
    content:
      sheets.size === 0
        ? [{ text: title, role: 'H1', fontSize: 22, margin: [0, 0, 0, 8] }, { text: say('sheetsEmpty') }]
        : [...sheets.values()].flatMap(sheetOf),
  }
}
