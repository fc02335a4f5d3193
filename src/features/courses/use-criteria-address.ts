import { useEffect, useLayoutEffect, useRef } from 'react'
import { useSearch } from 'wouter'
import { readAddress, writeAddress } from './address-model.ts'
import { useCriteria } from './criteria-store.ts'

const WRITE_DELAY_MS = 200

/**
 * Ties the criteria to the address: an address that carries criteria wins, one without shows what is remembered, and every
 * change is written into the address, so that it can be shared.
 */
export function useCriteriaAddress(): void {
  const search = useSearch()
  const { criteria, replace } = useCriteria()
  const written = useRef<string | null>(null)

  useLayoutEffect(() => {
    const carried = readAddress(search)
    if (carried && writeAddress(carried) !== written.current) replace(carried)
  }, [search, replace])

  // biome-ignore lint/correctness/useExhaustiveDependencies: they say when to write; what to write is the newest
  useEffect(() => {
    const { pathname } = window.location
    const wanted = writeAddress(useCriteria.getState().criteria)
    written.current = wanted
    const stop = () => {
      clearTimeout(timer)
      document.removeEventListener('click', write, true)
    }
    const write = () => {
      stop()
      if (window.location.search === wanted || window.location.pathname !== pathname) return
      window.history.replaceState(window.history.state, '', `${pathname}${wanted}`)
    }
    // Changing the address takes a browser some milliseconds: not between a keystroke and its result.
    const timer = setTimeout(write, WRITE_DELAY_MS)
    // A click may leave the list, and its address has to say by then what the reader comes back to.
    document.addEventListener('click', write, true)
    return stop
  }, [criteria, search])
}
