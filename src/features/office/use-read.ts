import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Endpoint, ItemOf, ResponseOf } from '#contract/endpoint.ts'
import { messageOf } from '#lib/api-error.ts'
import type { CallOptions, SaidParams, SaidQuery } from '#lib/call.ts'
import { callOffice } from './api.ts'
import { readList } from './resource.ts'
import { useDesk } from './store.ts'

type Parts<E extends Endpoint> = { params?: SaidParams<E>; query?: SaidQuery<E> }

export type Reading<Data> = {
  /** last data, also during a refetch; null before the first response and after a change of the request */
  data: Data | null
  /** error text; '' without one */
  problem: string
  isLoading: boolean
  reload: () => void
}

/** Fetches with `read`, again after each act and when `key` changes. `onPart` receives partial results. */
function useReading<Data>(
  key: string | null,
  read: (onPart: (data: Data) => void, signal: AbortSignal) => Promise<Data>,
): Reading<Data> {
  const { t } = useTranslation('office')
  const revision = useDesk(state => state.revision)
  const [tries, setTries] = useState(0)
  const [held, setHeld] = useState<{ key: string | null; data: Data | null; problem: string; isLoading: boolean }>({
    key,
    data: null,
    problem: '',
    isLoading: true,
  })
  const latest = useRef(read)
  latest.current = read
  // biome-ignore lint/correctness/useExhaustiveDependencies: an act or another try reads the same again
  useEffect(() => {
    if (key === null) return
    const stop = new AbortController()
    setHeld(before => ({ key, data: before.key === key ? before.data : null, problem: '', isLoading: true }))
    // During a refetch, a list does not shrink to its first page.
    const isAgain = held.key === key && held.data !== null
    const show = (data: Data, isLoading: boolean) => {
      if (!stop.signal.aborted) setHeld({ key, data, problem: '', isLoading })
    }
    // Without the global loader, which would cover the passkey button.
    latest
      .current(part => isAgain || show(part, true), stop.signal)
      .then(
        data => show(data, false),
        error => {
          if (stop.signal.aborted) return
          setHeld(before => ({ ...before, problem: messageOf(error, t('noAnswer')), isLoading: false }))
        },
      )
    return () => stop.abort()
  }, [key, revision, tries])
  const isOther = held.key !== key
  return {
    data: isOther ? null : held.data,
    problem: isOther ? '' : held.problem,
    isLoading: key !== null && (isOther || held.isLoading),
    reload: useCallback(() => setTries(count => count + 1), []),
  }
}

/** One read of the desk, read again after each act. @param parts null: nothing to read yet */
export const useRead = <E extends Endpoint>(endpoint: E, parts: Parts<E> | null = {}): Reading<ResponseOf<E>> =>
  useReading(
    parts && JSON.stringify([endpoint.path, parts]),
    (_onPart, signal) => callOffice(endpoint, { ...parts, signal } as CallOptions<E>) as Promise<ResponseOf<E>>,
  )

/** A whole list, page after page; what has come shows. @param query null: nothing to read yet */
export const useList = <E extends Endpoint>(endpoint: E, query?: SaidQuery<E> | null): Reading<ItemOf<E>[]> =>
  useReading(query === null ? null : JSON.stringify([endpoint.path, query]), (onPart, signal) =>
    readList(endpoint, query, { onPart, signal }),
  )
