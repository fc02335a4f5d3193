import { useCallback, useEffect, useRef, useState } from 'react'
import { messageOf } from './api-error.ts'

/**
 * Fetches data when a screen opens, and again by `load`. `answer` is null before the first response; `problem` is the
 * error message. An outdated response (a later request or change exists) is dropped.
 * @param ask memoized @param isWanted false: no automatic fetch
 */
export function useAnswer<Answer>(ask: () => Promise<Answer>, noAnswer: string, isWanted = true) {
  const [answer, show] = useState<Answer | null>(null)
  const [problem, setProblem] = useState('')
  const latest = useRef(0)
  const setAnswer = useCallback((known: Answer) => {
    latest.current += 1
    show(known)
  }, [])
  const load = useCallback(async () => {
    latest.current += 1
    const asked = latest.current
    setProblem('')
    try {
      const given = await ask()
      if (asked === latest.current) show(given)
    } catch (error) {
      if (asked === latest.current) setProblem(messageOf(error, noAnswer))
    }
  }, [ask, noAnswer])
  useEffect(() => {
    if (isWanted) load()
  }, [isWanted, load])
  return { answer, setAnswer, problem, setProblem, load }
}
