import type { ActKind } from '#contract/acts/acts.ts'
import { Button } from '#ui/button.tsx'
import { type ActRequest, startAct } from '../act-store.ts'

type Props<Kind extends ActKind> = {
  /** creates the action; called on each press */
  begin: () => ActRequest<Kind>
  /** style of the button; `text` for actions at the end of a table row */
  look?: 'primary' | 'ghost' | 'text'
}

/** Button that opens an action's dialog, labelled with the action's title. */
export const ActButton = <Kind extends ActKind>({ begin, look = 'text' }: Props<Kind>) => (
  <Button look={look} onClick={() => startAct(begin())}>
    {begin().title}
  </Button>
)
