import { Button } from '#components/button.tsx'
import type { ActKind } from '#contract/acts/acts.ts'
import { type ActRequest, startAct } from '../act-store.ts'

type Props<Kind extends ActKind> = {
  /** the act: each press begins one of its own */
  begin: () => ActRequest<Kind>
  /** plain at the end of a row */
  look?: 'primary' | 'ghost' | 'text'
}

/** The button that opens an act, in the words of the act. */
export const ActButton = <Kind extends ActKind>({ begin, look = 'text' }: Props<Kind>) => (
  <Button look={look} onClick={() => startAct(begin())}>
    {begin().title}
  </Button>
)
