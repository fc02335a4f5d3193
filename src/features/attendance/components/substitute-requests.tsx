import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SubstituteRequest } from '#contract/endpoints/substitutes.ts'
import { nameInLanguage } from '#contract/words.ts'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Button } from '#ui/button.tsx'
import { Actions, Card, Stack, Text } from '#ui/layout.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ErrorState } from '#ui/state-panel.tsx'

type Props = {
  /** secret of the link in the e-mail; without it, the requests to the logged-in user are shown, if there are any */
  token?: string
}
type Outcome = { status: string; message: string; items: SubstituteRequest[] }

/** Lessons that an instructor is asked to teach as a substitute. Each is accepted or declined with one tap. */
export function SubstituteRequests({ token }: Props) {
  const { t } = useTranslation('attendance')
  const body = token === undefined ? {} : { token }
  const { data, error, reload } = useResource('listSubstituteRequests', { body })
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [problem, setProblem] = useState('')
  const answer = async (courseDateIds: number[], accept: boolean) => {
    setProblem('')
    try {
      setOutcome(await withProgress(api.answerSubstituteRequest({ body: { ...body, courseDateIds, accept } })))
    } catch (failure) {
      setProblem(errorMessageOf(failure, t('substitute.noAnswer')))
    }
  }
  const shown: Outcome | null = outcome ?? data
  const items = shown?.items ?? []
  const open = items.filter(({ state }) => state === 'open')
  if (token === undefined && open.length === 0 && outcome === null) return null
  if (!shown)
    return error ? (
      <ErrorState
        title={t('substitute.failed')}
        text={errorMessageOf(error, t('substitute.noAnswer'))}
        onRetry={reload}
      />
    ) : (
      <Skeleton rows={2} height={96} />
    )
  const message = problem || shown.message
  return (
    <Stack as="section" aria-labelledby="substitutes">
      <Text as="h2" id="substitutes" variant="heading" flush>
        {t('substitute.title')}
      </Text>
      {message && (
        <Card as="p" role="status" status={problem || shown.status !== 'Ok' ? 'error' : 'success'} flush>
          {message}
        </Card>
      )}
      {items.map(request => (
        <Request key={request.courseDateId} request={request} onAnswer={answer} />
      ))}
      {open.length > 1 && (
        <Actions>
          <Button
            look="ghost"
            onClick={() =>
              answer(
                open.map(({ courseDateId }) => courseDateId),
                true,
              )
            }
          >
            {t('substitute.all', { count: open.length })}
          </Button>
        </Actions>
      )}
    </Stack>
  )
}

type RequestProps = {
  request: SubstituteRequest
  onAnswer(courseDateIds: number[], accept: boolean): Promise<void>
}

function Request({ request, onAnswer }: RequestProps) {
  const { t } = useTranslation('attendance')
  const language = useLanguage()
  const { courseDateId, number, date, startTime, endTime, room, city, until, state } = request
  const when = `${dayIn(language, date)}, ${startTime}–${endTime}`
  const about = `${nameInLanguage(language, request)}, ${when}`
  return (
    <Card flush>
      <Text as="h3" variant="name" flush>
        {when}
      </Text>
      <Text flush>{[`${nameInLanguage(language, request)} (${number})`, room, city].filter(Boolean).join(' · ')}</Text>
      {state === 'open' ? (
        <>
          <Text size="s" tone="muted" flush>
            {t('substitute.until', { day: dayIn(language, until.slice(0, 10)), time: until.slice(11) })}
          </Text>
          <Actions>
            <Button
              look="primary"
              aria-label={`${t('substitute.accept')}: ${about}`}
              onClick={() => onAnswer([courseDateId], true)}
            >
              {t('substitute.accept')}
            </Button>
            <Button
              look="ghost"
              aria-label={`${t('substitute.decline')}: ${about}`}
              onClick={() => onAnswer([courseDateId], false)}
            >
              {t('substitute.decline')}
            </Button>
          </Actions>
        </>
      ) : (
        <Text flush>{t(`substitute.state.${state}`)}</Text>
      )}
    </Card>
  )
}

const dayIn = (language: string, date: string) =>
  new Intl.DateTimeFormat(language, { weekday: 'short', day: '2-digit', month: '2-digit', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00Z`),
  )
