import { useEffect, useLayoutEffect, useRef } from 'react'
import { useSearch } from 'wouter'
import { readAddress, writeAddress } from '../address-model.ts'
import { useCriteria } from '../criteria-store.ts'

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
    const wanted = writeAddress(useCriteria.getState().criteria)
    written.current = wanted
    // Changing the address takes a browser some milliseconds: not between a keystroke and its result.
    const timer = setTimeout(() => {
      if (window.location.search === wanted) return
      window.history.replaceState(window.history.state, '', `${window.location.pathname}${wanted}`)
    }, WRITE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [criteria, search])
}
