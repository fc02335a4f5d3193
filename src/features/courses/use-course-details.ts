import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Course } from '#contract/endpoints/courses.ts'
import { useSession } from '#features/session/store.ts'
import { ApiError } from '#lib/api-error.ts'
import { useReloadOnReconnect } from '#lib/online.ts'
import { mergeCourseDetails } from './model.ts'
import { loadCourse, loadProgramme, useCourseTexts, useFetchedCourses, useListedCourse } from './resource.ts'

/** `missing`: the course does not exist; `unreachable`: it is not cached and there was no response */
export type DetailsPhase = 'loading' | 'ready' | 'missing' | 'unreachable'

type Details = {
  course: Course | null
  phase: DetailsPhase
  isChecking: boolean
  /** whether dates and long texts, which are not in the index, have been loaded or have failed to load */
  isWhole: boolean
  retry: () => void
}

/** Details of a course, stale-while-revalidate: first the cached data, then the server's response. */
export function useCourseDetails(id: number): Details {
  const listed = useListedCourse(id)
  const texts = useCourseTexts(state => state.data.get(id))
  const answer = useFetchedCourses(state => state.byId.get(id))
  const userName = useSession(state => state.session?.userName)
  const [check, setCheck] = useState<'running' | 'done' | 'missing' | 'failed'>('running')
  const [tries, setTries] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another user may see different data
  useEffect(() => {
    let isWanted = true
    const settle = (result: typeof check) => isWanted && setCheck(result)
    setCheck('running')
    if (!Number.isInteger(id) || id < 1) {
      settle('missing')
      return
    }
    loadCourse(id).then(
      () => settle('done'),
      async error => {
        if (!(error instanceof ApiError)) return settle('failed')
        if (error.status !== 404) return settle('failed')
        await loadProgramme()
        settle('missing')
      },
    )
    return () => {
      isWanted = false
    }
  }, [id, userName, tries])

  const retry = useCallback(() => setTries(count => count + 1), [])
  useReloadOnReconnect(retry, check === 'failed')

  const course = useMemo(() => {
    if (listed) return mergeCourseDetails(listed, texts, answer)
    return answer ?? null
  }, [listed, texts, answer])
  const phase = course ? 'ready' : check === 'missing' ? 'missing' : check === 'failed' ? 'unreachable' : 'loading'
  const isChecking = check === 'running'
  const isWhole = !isChecking || answer !== undefined || texts !== undefined
  return { course, phase, isChecking, isWhole, retry }
}
