import { createContext, useContext, useEffect, useEffectEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { useQueryString } from '#lib/use-query-string.ts'

/**
 * Prefix of a screen's query parameters, so that those of the side panel differ from those of the screen next to it.
 */
export const ParamPrefix = createContext('')

/** Returns a function that changes query parameters in the URL; `isNew` adds a history entry. */
export function useChangeUrlParams() {
  const [location, navigate] = useLocation()
  return (change: (params: URLSearchParams) => void, isNew = false) => {
    const params = new URLSearchParams(window.location.search)
    change(params)
    const text = params.toString()
    navigate(text ? `${location}?${text}` : location, {
      replace: !isNew,
      ...(!isNew && { state: window.history.state }),
    })
  }
}

/** State stored in a query parameter of the URL, so that links and reloads restore it. */
export function useUrlParam(name: string): [string, (value: string) => void] {
  const key = `${useContext(ParamPrefix)}${name}`
  const changeParams = useChangeUrlParams()
  const value = new URLSearchParams(useQueryString()).get(key) ?? ''
  const write = (next: string) => changeParams(params => (next ? params.set(key, next) : params.delete(key)))
  return [value, write]
}

/** Debounce delay in ms, because writing the URL rerenders the whole screen. */
const TYPING_MS = 150

/** Like `useUrlParam`, but for text input: shows each keystroke immediately and writes the URL after a pause. */
export function useDebouncedUrlParam(key: string): [string, (value: string) => void] {
  const [stored, store] = useUrlParam(key)
  const writeAddress = useEffectEvent(store)
  const [typed, setTyped] = useState<string | null>(null)
  useEffect(() => {
    if (typed === null) return
    const timer = setTimeout(() => {
      writeAddress(typed)
      setTyped(null)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed ?? stored, setTyped]
}
