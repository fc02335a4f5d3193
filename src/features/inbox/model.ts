import type { InboxItem } from '#contract/endpoints/inbox.ts'
import { plainText } from '#contract/words.ts'

/** Maximum number of links below a message. */
const MOST_LINKS = 5

/** The courses that a message names by their number in brackets, in the order of the text. */
export function mentionedCoursesOf<C extends { number: string }>(
  { title, text }: Pick<InboxItem, 'title' | 'text'>,
  courses: readonly C[],
): C[] {
  const byNumber = new Map(courses.map(course => [course.number, course]))
  const numbers = [...`${title} ${plainText(text)}`.matchAll(/\(([^()]+)\)/g)].map(([, number = '']) => number)
  return [...new Set(numbers)].flatMap(number => byNumber.get(number) ?? []).slice(0, MOST_LINKS)
}
