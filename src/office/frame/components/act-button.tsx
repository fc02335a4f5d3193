import type { ComponentProps } from 'react'
import type { ActKind } from '#contract/acts/acts.ts'
import { Button } from '#ui/button.tsx'
import { type ActRequest, startAct } from '../act-store.ts'

type Props<Kind extends ActKind> = Omit<ComponentProps<typeof Button>, 'onClick'> & {
  /** creates the action; called on each press */
  begin: () => ActRequest<Kind>
}

/** Button that opens an action's dialog, labelled with the action's title unless it has a text of its own. */
export const ActButton = <Kind extends ActKind>({ begin, children, look = 'text', ...button }: Props<Kind>) => (
  <Button look={look} {...button} onClick={() => startAct(begin())}>
    {children ?? begin().title}
  </Button>
)
