import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useSearch } from 'wouter'

/** State in a query parameter of the address, so that links and reloads restore it. */
export function useUrlParam(key: string): [string, (value: string) => void] {
  const [location, navigate] = useLocation()
  const search = useSearch()
  const value = new URLSearchParams(search).get(key) ?? ''
  const write = (next: string) => {
    const params = new URLSearchParams(window.location.search)
    if (next) params.set(key, next)
    else params.delete(key)
    const text = params.toString()
    navigate(text ? `${location}?${text}` : location, { replace: true, state: window.history.state })
  }
  return [value, write]
}

/** Debounce: writing the address renders the whole screen. */
const TYPING_MS = 150

/** `useUrlParam` for text input: shows each key at once, writes the address after a pause. */
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
