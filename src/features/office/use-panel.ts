import { useSearch } from 'wouter'
import type { Right } from '#contract/rights.ts'
import { useChangeParams } from './use-url-param.ts'

/** Media query of viewports wide enough for the side panel; narrower ones open the record's own page. */
export const WIDE_VIEWPORT = '(min-width: 64em)'
export const PANEL_PREFIX = 'panel.'
const PARAM = 'open'

export type RecordKind = 'courses' | 'people'

/** For each kind of record, the rights of which one is required to open it. */
export const RECORD_RIGHTS: Record<RecordKind, readonly Right[]> = {
  courses: ['programme', 'bookings'],
  people: ['bookings', 'owner'],
}

/** The record shown in the side panel, stored in the URL as `?open=people-12`. */
export function usePanel() {
  const changeParams = useChangeParams()
  const open = new URLSearchParams(useSearch()).get(PARAM) ?? ''
  const [record = '', kind, id] = /^(courses|people)-(\d{1,9})$/.exec(open) ?? []
  const clear = (params: URLSearchParams) => {
    for (const key of [...params.keys()]) if (key === PARAM || key.startsWith(PANEL_PREFIX)) params.delete(key)
  }
  return {
    /** key of the open record, such as `people-12`; '' without one */
    record,
    /** path of the record's own page */
    path: `/office/${kind}/${id}`,
    /**
     * The first record adds a history entry, further records of the list replace it; the back button leaves a record
     * that was opened within the panel. The selected tab is preserved between records of the same kind.
     */
    show: (next: string, { tab, isInPanel }: { tab: string | undefined; isInPanel: boolean }) =>
      changeParams(
        params => {
          if (tab || !next.startsWith(`${kind}-`)) clear(params)
          params.set(PARAM, next)
          if (tab) params.set(`${PANEL_PREFIX}tab`, tab)
        },
        open === '' || isInPanel,
      ),
    close: () => changeParams(clear),
  }
}
