import type { ComponentType } from 'react'
import type { Right } from '#contract/rights.ts'
import { RightsScreen } from '#features/office/rights-screen.tsx'

export type DeskScreen = {
  path: string
  /** in the desk's navigation, with the text `office:nav.<nav>` */
  nav?: string
  /** any one of them is enough; none: whoever has a right at all */
  rights: readonly Right[]
  screen: ComponentType
}

/** Every screen of the desk, in the order of its navigation. */
export const deskScreens: readonly DeskScreen[] = [
  { path: '/office/rights', nav: 'rights', rights: ['owner'], screen: RightsScreen },
]
