// Creates server/platform/holidays/school-holidays.json. Usage: `node scripts/make-school-holidays.ts FOLDER`, where FOLDER
// contains the files holidays.school.*.csv from github.com/openpotato/openholidaysapi.data (src/de), licence ODbL 1.0.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'

type Period = { StartDate: string; EndDate: string; Name: string; Tags?: string; Groups?: string }

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('usage: node scripts/make-school-holidays.ts FOLDER')

/**
 * Whether weekly courses have no lessons during a holiday. These are the Easter and autumn holidays; Hamburg has a
 * spring break in March instead of Easter holidays.
 */
function isWithoutLessons(state: string, { StartDate, Name, Tags, Groups }: Period): boolean {
  const names = state === 'HH' ? ['Frühjahrsferien', 'Herbstferien'] : ['Osterferien', 'Herbstferien']
  const name = Name.replace(/^DE /, '').split(',')[0] ?? ''
  const isForIslands = Tags === 'Exception'
  const isForVocationalSchoolsOnly = Groups === 'MV-BBS'
  return names.includes(name) && StartDate >= '2024' && !isForIslands && !isForVocationalSchoolsOnly
}

const states: Record<string, string[][]> = {}
for (const file of (await readdir(folder)).sort()) {
  const state = /^holidays\.school\.(\w\w)\.csv$/.exec(file)?.[1]?.toUpperCase()
  if (!state) continue
  const periods = parse<Period>(await readFile(join(folder, file)), { bom: true, columns: true, delimiter: ';' })
  states[`DE-${state}`] = periods
    .filter(period => isWithoutLessons(state, period))
    .map(period => [period.StartDate, period.EndDate || period.StartDate])
    .sort()
}
const target = join(import.meta.dirname, '../server/platform/holidays/school-holidays.json')
const source = 'OpenHolidays, github.com/openpotato/openholidaysapi.data, Open Database License (ODbL) 1.0'
const lines = Object.entries(states).map(([state, periods]) => `    "${state}": ${JSON.stringify(periods)}`)
await writeFile(target, `{\n  "source": "${source}",\n  "states": {\n${lines.join(',\n')}\n  }\n}\n`)
