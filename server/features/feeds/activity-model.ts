import { readFileSync } from 'node:fs'
import * as v from 'valibot'

/** OpenActive's activity list (github.com/openactive/activity-list, CC-BY 4.0): label and id of each activity. */
const LIST = 'https://openactive.io/activity-list'
export const activities = v.parse(
  v.array(v.tuple([v.string(), v.string()])),
  JSON.parse(readFileSync(new URL('./activities.json', import.meta.url), 'utf8')),
)

const words = (text: string) =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
const known = activities
  .map(([label, id]) => ({ label, id, words: words(label) }))
  .filter(activity => activity.words.length > 4)
  .sort((a, b) => b.words.length - a.words.length)
/** Default activity of a course. */
const ANY = known.find(({ label }) => label === 'Group Exercise')

/** Activity named in the first matching text, longest name first: as in `Yoga for beginners`. */
export function activityOf(texts: readonly string[]): Record<string, unknown> {
  const found = texts.flatMap(text => known.find(activity => words(text).includes(activity.words)) ?? [])[0] ?? ANY
  return { '@type': 'Concept', '@id': `${LIST}#${found?.id}`, prefLabel: found?.label, inScheme: LIST }
}
