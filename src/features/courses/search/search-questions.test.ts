import { expect, test } from 'vitest'
import { formatTime } from '#contract/words.ts'
import { type Programme, readProgramme } from '#test/programmes.ts'
import type { ListedCourse } from '../model.ts'
import { findCourses, sortCourses } from './filter-model.ts'
import { EMPTY_CRITERIA, type SearchCriteria } from './search-criteria-model.ts'
import { parseSearchQuery } from './search-model.ts'

type Question = [
  Programme,
  question: string,
  /** pattern for the first hit, such as `Mo 17:30 Rückenfit (Salzstadt, Ines Brandt)` */
  RegExp,
]

/** Typical queries with the expected first hit. SHOW=1 prints the hits. */
const QUESTIONS: Question[] = [
  ['demo', 'dienstag', /^Di /],
  ['demo', 'mittwoch abend', /^Mi (?:1[7-9]|2)/],
  ['demo', 'pilatis', /Pilates/],
  ['demo', 'schwimen', /Kraulen|schwimm/i],
  ['demo', 'yogga', /Yoga/],
  ['demo', 'rueckenfit montag', /^Mo .*Rückenfit/],
  ['demo', 'yoga 18 uhr', /18:\d\d .*yoga/i],
  ['demo', 'di abend salzstadt', /^Di (?:1[7-9]|2).*Salzstadt/],
  ['demo', '"Ines Brandt"', /Ines Brandt/],
  ['demo', 'brand mittwoch', /^Mi .*Brandt/],
  ['demo', 'H-0301', /Rückenfit am Feierabend/],
  ['demo', 'wasser freitag', /^Fr .*(?:Wasser|Aqua)/],
  ['demo', 'laufen stirnlampe', /Winterlauf/],
  ['demo', 'entspannung online', /\(Online/],
  ['demo', 'besser schlafn', /Besser schlafen/],
  ['demo', 'salsa', /Salsa/],
  ['demo', 'wochenende vormittag', /^S[ao] (?:0|10)/],
  ['demo', 'mittagspause', /1[1-3]:\d\d/],
  ['rwth', 'volleyball level 2', /Volleyball.*Level 2/],
  ['rwth', 'volleybal', /Volleyball/],
  ['rwth', 'badmington samstag', /^Sa .*Badminton/],
  ['rwth', 'tennis ab 18 uhr', /(?:1[89]|2\d):\d\d Tennis/],
  ['rwth', 'zumba montag', /^Mo .*Zumba/],
  ['rwth', 'pilatis donnerstag abend', /^Do .*Pilates/],
  ['rwth', 'schwimen level 4', /Schwimmen.*Level 4/],
  ['rwth', 'yoga vor 9 uhr', /0[5-8]:\d\d .*Yoga/i],
  ['rwth', 'tauchkurs', /Tauch/],
  ['rwth', 'klettern', /Kletter/i],
  ['rwth', 'friday boxing', /^Fr .*Box/i],
  ['rwth', 'rudern kostenlos', /Ruder/],
  ['bern', 'yoga', /Yoga/],
  ['bern', 'rückenfit donnerstag', /^Do .*Rückenfit/],
  ['bern', 'salsa', /Salsa/],
  ['bern', 'fussball nacht', /Fussball/],
  ['bern', 'kajak', /Kajak/],
  ['bern', 'massage', /Massage/],
  ['fribourg', 'klettern samstag', /^Sa .*kletter/i],
  ['fribourg', 'fechten', /Fechten/],
  ['fribourg', 'joging', /Jogging/],
  ['fribourg', 'tennis dienstag', /^Di .*Tennis/],
]

const DAYS = ['So', 'Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa']
const say = ({ weekdays, startTime, name, city, instructor }: ListedCourse) =>
  `${weekdays.map(day => DAYS[day]).join('+')} ${formatTime(startTime)} ${name} (${[city, instructor].filter(Boolean).join(', ')})`

const TODAY = Date.UTC(2026, 10, 22)

test('at least 38 of 40 typical queries rank the expected course first', () => {
  const programmes = new Map<Programme, ListedCourse[] | null>()
  const answered = QUESTIONS.flatMap(([name, text, wanted]) => {
    if (!programmes.has(name)) {
      const courses = readProgramme(name)
      programmes.set(name, courses && sortCourses(courses, 'soonest', 'de', TODAY))
    }
    const courses = programmes.get(name)
    if (!courses) return []
    const criteria: SearchCriteria = { ...EMPTY_CRITERIA, text }
    const { hits } = findCourses(courses, criteria, parseSearchQuery(text, courses, 'de', new Map()))
    const answers = hits.slice(0, 3).map(say)
    return [{ name, text, hits: hits.length, answers, isRight: wanted.test(answers[0] ?? '') }]
  })
  if (process.env.SHOW) {
    const rows = answered.map(
      ({ name, text, hits, answers, isRight }) =>
        `| ${name} | \`${text}\` | ${hits} | ${isRight ? 'yes' : '**no**'} | ${answers.map(answer => answer.replaceAll('|', '/')).join('<br>')} |`,
    )
    console.log(rows.join('\n'))
  }
  const wrong = answered
    .filter(({ isRight }) => !isRight)
    .map(({ name, text, answers }) => `${name}: ${text}: ${answers[0]}`)
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(2)
})
