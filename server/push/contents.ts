import type { PushPayload } from '#contract/push.ts'
import { formatTime } from '#contract/words.ts'
import { toDateTimeValue } from '#server/db/date-time.ts'
import { translate } from '#server/texts/translate.ts'
import type { AlertKind, AlertValues } from './kinds.ts'
import type { DuePush } from './outbox.ts'

const courseAt = (courseId: number) => `/course-details/${courseId}`

type About = { values?: Record<string, string | number>; path: string }
const abouts: { [Kind in AlertKind]: (payload: AlertValues[Kind]) => About } = {
  'lesson-eve': ({ at, courseId }) => ({ values: { time: formatTime(toDateTimeValue(at)) }, path: courseAt(courseId) }),
  opening: ({ at, kind, id }) => ({
    values: { time: formatTime(toDateTimeValue(at)) },
    path: kind === 'course' ? courseAt(id) : '/courses',
  }),
  'waiting-news': ({ position, courseId }) => ({ values: { position }, path: courseAt(courseId) }),
  promotion: ({ courseId }) => ({ path: courseAt(courseId) }),
  changes: ({ path }) => ({ path }),
}

/** Push notification content: event and time, but neither person nor course. */
export function writePush<Kind extends AlertKind>({
  kind,
  payload,
  language,
  alertId,
}: Pick<DuePush, 'language' | 'alertId'> & { kind: Kind; payload: AlertValues[Kind] }): PushPayload {
  const { values = {}, path } = abouts[kind](payload)
  const say = (part: string) => translate(language, `push.${kind}.${part}`, values)
  return { title: say('title'), body: say('body'), path, tag: `${kind} ${alertId}` }
}
