import { useCallback, useEffect, useRef, useState } from 'react'
import { messageOf } from './api-error.ts'

/**
 * What a screen asks the portal for when it opens, and again by `load`: `answer` null before the first one, `problem` why there is none.
 * An answer that was overtaken, by a later one or by what the person has changed since, is dropped.
 * @param ask always the same function, or one of what it asks for @param isWanted false: not by itself
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
