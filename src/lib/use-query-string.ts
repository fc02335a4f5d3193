import { useSearch } from 'wouter/use-browser-location'

/**
 * The query string of the URL as it is, without `?`. The `useSearch` of wouter's main module decodes it before it is
 * split, so that an encoded `&` in a value would end it.
 */
export const useQueryString = (): string => useSearch({ ssrSearch: '' }).replace(/^\?/, '')
