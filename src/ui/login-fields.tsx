import type { ComponentProps } from 'react'
import { TextField } from './text-field.tsx'

type Props = Omit<ComponentProps<typeof TextField>, 'type' | 'autoComplete'>

/** E-mail field of the login form, with the autocomplete and keyboard hints that password managers and phones need. */
export const UserNameField = (props: Props) => (
  <TextField name="username" type="email" autoComplete="username" autoCapitalize="none" spellCheck={false} {...props} />
)

export const CurrentPasswordField = (props: Props) => (
  <TextField name="password" type="password" autoComplete="current-password" {...props} />
)
