import { useCallback, useEffect, useState } from 'react'
import { messageOf } from './api-error.ts'

/**
 * What a screen asks the portal for when it opens, and again by `load`: `answer` null before the first one, `problem` why there is none.
 * @param ask always the same function, or one of what it asks for @param isWanted false: not by itself
 */
export function useAnswer<Answer>(ask: () => Promise<Answer>, noAnswer: string, isWanted = true) {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [problem, setProblem] = useState('')
  const load = useCallback(async () => {
    setProblem('')
    try {
      setAnswer(await ask())
    } catch (error) {
      setProblem(messageOf(error, noAnswer))
    }
  }, [ask, noAnswer])
  useEffect(() => {
    if (isWanted) load()
  }, [isWanted, load])
  return { answer, setAnswer, problem, setProblem, load }
}
