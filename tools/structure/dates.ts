import { importsOf, isCode, nodesOf, type SourceFile, syntaxOf, type Violation } from './source-files.ts'

/** Tests with a real clock: journeys, and files that use the test database or the test portal. */
const USES_A_CLOCK =
  /^(?:e2e|tools\/neighbours)\/|^server\/test\/(?:database|server|portal|import-folder|office|factories)\.ts$/
const TEST = /\.(?:test|spec)\.ts$|^e2e\/.*\.ts$/
const DATE = /\b(20\d\d)-(\d\d)-(\d\d)\b|\b(\d\d)\.(\d\d)\.(20\d\d)\b/g

const usesAClock = (file: SourceFile): boolean =>
  USES_A_CLOCK.test(file.path) || importsOf(file).some(({ target }) => USES_A_CLOCK.test(target))

/** Future dates in the strings of a file, as 'YYYY-MM-DD'. */
function futureDatesIn(file: SourceFile, today: string): string[] {
  const texts = nodesOf(file).flatMap(node => {
    if (node.type === 'Literal' && typeof node.value === 'string') return [node.value]
    return node.type === 'TemplateElement' ? [node.value.raw] : []
  })
  return texts
    .flatMap(text => [...text.matchAll(DATE)])
    .map(([, year, month, day, dayBefore, monthBefore, yearAfter]) =>
      year ? `${year}-${month}-${day}` : `${yearAfter}-${monthBefore}-${dayBefore}`,
    )
    .filter(date => date > today && date < '2099')
}

/** A comment that explains why the clock does not matter. */
const explains = (file: SourceFile): boolean =>
  syntaxOf(file).comments.some(({ value }) => /^\W*Fixed dates:/.test(value))

/**
 * Finds fixed dates that turn from future to past ones, after which a test may fail. Dates of 2100 are permitted: that
 * year has the weekdays, Easter and clock changes of 2027.
 * @param today 'YYYY-MM-DD'
 */
export const checkDates = (files: SourceFile[], today = new Date().toISOString().slice(0, 10)): Violation[] =>
  files
    .filter(file => isCode(file.path) && TEST.test(file.path) && usesAClock(file) && !explains(file))
    .flatMap(file => {
      const [date] = futureDatesIn(file, today)
      const reason =
        'will be past: use a relative one, 2100, or a comment “Fixed dates: …” why the clock does not matter'
      return date ? [`${file.path}: the fixed date ${date} ${reason}`] : []
    })
