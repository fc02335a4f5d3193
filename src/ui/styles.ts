import { type BASE_CLASSES, BOOLEAN_STYLE_PROPS, ENUM_STYLE_PROPS } from './style-values.ts'
import './styles.css'

export type BaseClass = (typeof BASE_CLASSES)[number]

/** Modifiers of an element, as props of the layout components or as the argument of `styles`. */
export type StyleProps = {
  -readonly [Name in keyof typeof ENUM_STYLE_PROPS]?: (typeof ENUM_STYLE_PROPS)[Name][number] | undefined
} & { [Name in (typeof BOOLEAN_STYLE_PROPS)[number]]?: boolean | undefined }

type Props = StyleProps & { base?: BaseClass | undefined; className?: string | undefined }

const flags = new Set<string>(BOOLEAN_STYLE_PROPS)

/**
 * Separates an element's style props from its other props.
 * @returns the class names, and the remaining props
 */
export function splitStyles({ base, className, ...props }: Props): [string, object] {
  const names = base ? [base as string] : []
  const rest: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(props)) {
    const isFlag = flags.has(name)
    if (!isFlag && !(name in ENUM_STYLE_PROPS)) rest[name] = value
    else if (value) names.push(isFlag ? name : `${name}-${value}`)
  }
  const own = names.map(name => `ui-${name}`)
  return [(className ? [...own, className] : own).join(' '), rest]
}

/** Class names for an element that is not a layout component, e.g. `styles({ base: 'row', gap: 's' })`. */
export const styles = (props: StyleProps & { base?: BaseClass }): string => splitStyles(props)[0]
