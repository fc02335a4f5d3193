import i18next from 'i18next'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { ActResponse } from '#contract/office/office.ts'
import { useResource } from '#lib/resource.ts'
import { useLocalTimeMs } from '#lib/use-now.ts'
import { CheckField } from '#ui/check-field.tsx'
import { Notice, Stack, Text } from '#ui/layout.tsx'
import type { ActDraft, ActRequest, InitialActDraft } from '../act-store.ts'
import { DateTimeField } from './date-time-field.tsx'
import { LoadingState } from './loading-state.tsx'

const t = i18next.getFixedT(null, 'office')
type Fields = {
  act: InitialActDraft<'ask-substitutes'>
  change(fields: Partial<ActDraft<'ask-substitutes'>>): void
}

/** Prepares the action that withdraws open requests for substitutes. */
export const withdrawSubstitutes = (lessons: readonly number[], about: string): ActRequest<'withdraw-substitutes'> => ({
  act: { kind: 'withdraw-substitutes', lessons: [...lessons] },
  title: t('substitute.withdraw'),
  about,
})

/** Prepares the action that asks free instructors whether they can teach lessons. */
export const askSubstitutes = (lessons: readonly number[], about: string): ActRequest<'ask-substitutes'> => ({
  act: { kind: 'ask-substitutes', lessons: [...lessons] },
  title: t('substitute.ask'),
  about,
  missing: ({ instructorEmails = [], until }) => [
    ...(instructorEmails.length > 0 ? [] : [t('substitute.who')]),
    ...(until ? [] : [t('substitute.until')]),
  ],
  form: fields => <SubstituteFields {...fields} />,
  details: LessonsWithoutCandidate,
  undo: () => withdrawSubstitutes(lessons, about),
})

const HOUR_MS = 3_600_000

/** Proposed deadline: in a day, or halfway to the first lesson if that is earlier, at a full hour. */
function proposeDeadline(nowWallMs: number, first: string): string {
  const half = nowWallMs + (Date.parse(`${first}Z`) - nowWallMs) / 2
  const hour = Math.floor(Math.min(nowWallMs + 24 * HOUR_MS, half) / HOUR_MS) * HOUR_MS
  return new Date(hour > nowWallMs ? hour : half).toISOString().slice(0, 16)
}

/** Fields for the instructors to ask, all of those who are free by default, and for the deadline. */
function SubstituteFields({ act: { lessons: ids = [], instructorEmails = [], until = '' }, change }: Fields) {
  const { t } = useTranslation('office')
  const nowWallMs = useLocalTimeMs()
  const reading = useResource('listSubstituteCandidates', { query: { courseDateIds: ids.join() } })
  const lessons = reading.data?.lessons
  const candidates = new Map<string, { name: string; free: number; taught: number }>()
  for (const { free } of lessons ?? [])
    for (const { email, name, taught } of free) {
      const before = candidates.get(email)
      candidates.set(email, { name, taught: Math.max(taught, before?.taught ?? 0), free: (before?.free ?? 0) + 1 })
    }
  const sorted = [...candidates].toSorted(([, a], [, b]) => b.free - a.free || b.taught - a.taught)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once the list has been read
  useEffect(() => {
    const [first] = lessons ?? []
    if (first)
      change({
        instructorEmails: sorted.map(([email]) => email),
        until: proposeDeadline(nowWallMs, `${first.date}T${first.startTime}`),
      })
  }, [lessons])
  if (!lessons) return <LoadingState reading={reading} />
  return (
    <Stack>
      <DateTimeField
        kind="moment"
        name="until"
        label={t('substitute.until')}
        hint={t('substitute.untilHint')}
        required
        value={until}
        onChange={at => change({ until: at })}
      />
      <Stack as="fieldset" bare gap="s">
        <Text as="legend" variant="name" flush>
          {t('substitute.free', { count: sorted.length })}
        </Text>
        {sorted.map(([email, { name, free, taught }]) => (
          <CheckField
            key={email}
            label={[
              name,
              lessons.length > 1 && t('substitute.freeAt', { free, count: lessons.length }),
              taught > 0 && t('substitute.taught', { count: taught }),
            ]
              .filter(Boolean)
              .join(' · ')}
            checked={instructorEmails.includes(email)}
            onChange={isAsked =>
              change({
                instructorEmails: isAsked
                  ? [...instructorEmails, email]
                  : instructorEmails.filter(other => other !== email),
              })
            }
          />
        ))}
      </Stack>
    </Stack>
  )
}

/** Says for how many of the lessons nobody is asked, because nobody chosen is free. */
function LessonsWithoutCandidate({ result: { withoutCandidate } }: ActResponse) {
  const { t } = useTranslation('office')
  const count = Array.isArray(withoutCandidate) ? withoutCandidate.length : 0
  return count > 0 ? <Notice>{t('substitute.nobodyFor', { count })}</Notice> : null
}
