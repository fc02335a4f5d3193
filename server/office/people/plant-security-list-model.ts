import type { Language } from '#contract/values.ts'
import { formatDate } from '#contract/words.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import { PAGE_COUNT_PLACEHOLDER, PAGE_NUMBER_PLACEHOLDER, type PdfDocument } from '#server/platform/pdf/printer.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { type ListTable, toListTable } from './list-rules.ts'
import type { PlantSecurityListEntry } from './plant-security-list-repository.ts'

const wordFor = (language: Language, list: 'employeeStatus' | 'billingType', value: number | null) =>
  value === null ? '' : translate(language, `attendance.list.${list}.${value}`)

/**
 * Converts the site access list, which tells plant security who has a lesson on a day, to a table that contains only
 * name, status and billing type.
 */
export const toPlantSecurityTable = (entries: readonly PlantSecurityListEntry[], language: Language): ListTable =>
  toListTable(
    ['name', 'status', 'billingType'],
    [...new Map(entries.map(entry => [entry.webUserId, entry])).values()].map(entry => ({
      name: entry.name,
      status: wordFor(language, 'employeeStatus', entry.employeeStatus),
      billingType: wordFor(language, 'billingType', entry.billingType),
    })),
  )

type Printed = {
  day: string
  sites: string[]
  entries: readonly PlantSecurityListEntry[]
  language: Language
  portal: string
}

/** Lays out the site access list for printing: one or more pages per site, with a signature column. */
export function layOutPlantSecurityList({ day, sites, entries, language, portal }: Printed): PdfDocument {
  const say = (key: string, values: Record<string, string> = {}) =>
    translate(language, `attendance.list.${key}`, values)
  const date = formatDate(toDateTimeValue(day))
  const title = say('gate', { date })
  const part = (site: string, index: number) => {
    const own = entries.filter(entry => entry.site === site)
    return [
      {
        text: site,
        role: 'H2',
        fontSize: 15,
        bold: true,
        margin: [0, 0, 0, 8],
        ...(index > 0 && { pageBreak: 'before' }),
      },
      own.length === 0
        ? { text: say('gateEmpty') }
        : {
            layout: 'grid',
            table: {
              headerRows: 1,
              dontBreakRows: true,
              heights: [14, ...own.map(() => 20)],
              widths: [20, '*', 80, 100, 130],
              body: [
                ['row', 'name', 'status', 'billing', 'signature'].map(key => ({ text: say(key), bold: true })),
                ...own.map((entry, row) => [
                  { text: String(row + 1), alignment: 'right' },
                  entry.name,
                  wordFor(language, 'employeeStatus', entry.employeeStatus),
                  wordFor(language, 'billingType', entry.billingType),
                  '',
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
    defaultStyle: { font: 'Roboto', fontSize: 9 },
    footer: {
      margin: [40, 10, 40, 0],
      fontSize: 8,
      columns: [
        { text: `${portal} · ${title}` },
        {
          text: say('page', { page: PAGE_NUMBER_PLACEHOLDER, pages: PAGE_COUNT_PLACEHOLDER }),
          alignment: 'right',
          width: 100,
        },
      ],
    },
    content: [{ text: title, role: 'H1', margin: [0, 0, 0, 4] }, ...(sites.length > 0 ? sites : ['']).flatMap(part)],
  }
}
