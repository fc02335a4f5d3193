import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'

/** Keeps a value in the address, so that a screen is found again as it was left. */
export function useAddressValue(key: string): [string, (value: string) => void] {
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

/** The address is written when somebody stops typing: the whole screen is drawn anew with it. */
const TYPING_MS = 250

/** As `useAddressValue`, for what is typed. */
export function useTypedAddressValue(key: string): [string, (value: string) => void] {
  const [stored, store] = useAddressValue(key)
  const [typed, setTyped] = useState<string | null>(null)
  const latest = useRef(store)
  latest.current = store
  useEffect(() => {
    if (typed === null) return
    const timer = setTimeout(() => {
      latest.current(typed)
      setTyped(null)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed ?? stored, setTyped]
}
