import { type MouseEvent, type ReactNode, useContext } from 'react'
import { Link } from 'wouter'
import { useSession } from '#features/session/store.ts'
import { ButtonLink } from '#ui/button.tsx'
import { hasAnyRight } from '../model.ts'
import { RECORD_RIGHTS, type RecordKind, useSidePanel, WIDE_VIEWPORT } from '../use-panel.ts'
import { ParamPrefix } from '../use-url-param.ts'

type Props = {
  kind: RecordKind
  /** null if the account has been deleted */
  id: number | null
  /** tab of the record's screen */
  tab?: string
  /** whether the link text names an action on the row instead of the record */
  isAct?: boolean
  children: ReactNode
}

/**
 * Link to a course or person. Opens the record in the side panel or, on narrow viewports, on its own page. Users
 * without the required permission see plain text.
 */
export function RecordLink({ kind, id, tab, isAct = false, children }: Props) {
  const { record, show } = useSidePanel()
  const isInPanel = useContext(ParamPrefix) !== ''
  const mayOpen = useSession(state => hasAnyRight(state.session?.rights ?? [], RECORD_RIGHTS[kind]))
  if (id === null || !mayOpen) return !isAct && children
  const own = `${kind}-${id}`
  const link = {
    href: `/office/${kind}/${id}${tab ? `?tab=${tab}` : ''}`,
    onClick: (event: MouseEvent) => {
      if (!window.matchMedia(WIDE_VIEWPORT).matches) return
      event.preventDefault()
      show(own, { tab, isInPanel })
    },
    'data-record': own,
    children,
  }
  return isAct ? <ButtonLink look="text" data-edit {...link} /> : <Link aria-current={record === own} {...link} />
}
