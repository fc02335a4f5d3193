import type { ComponentProps } from 'react'
import { TextField } from './text-field.tsx'

type Props = Omit<ComponentProps<typeof TextField>, 'type' | 'autoComplete'>

/** The address in what mail programs copy: `Kim Muster <kim@example.com>` or `mailto:kim@example.com`. */
const addressIn = (text: string): string =>
  /^(?:mailto:|[^<>]*<)([^<>\s?]+@[^<>\s?]+)>?$/i.exec(text.trim())?.[1] ?? text

/** E-mail field of the login form, with the autocomplete and keyboard hints that password managers and phones need. */
export const UserNameField = ({ onChange, ...props }: Props) => (
  <TextField
    name="username"
    type="email"
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    onChange={text => onChange(addressIn(text))}
    {...props}
  />
)

export const CurrentPasswordField = (props: Props) => (
  <TextField name="password" type="password" autoComplete="current-password" {...props} />
)
